// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"

namespace ftlab::controller {

/// Why a host command had to wait at an instant.  Only causes that the model has mechanisms for.
enum class Cause : std::uint8_t {
    host_queue,    ///< in the host: all tags taken, or a non-queued command drains the queue
    link,          ///< command and data frames on the link, with the wait for it
    firmware,      ///< a firmware core decodes or finishes the command, with the wait for it
    dram,          ///< data moves through DRAM
    buffer_gc,     ///< like buffer_media, while the host may not open a superblock before GC frees one
    buffer_media,  ///< no room in the write buffer, or a flush or FUA waits: the flash is programming
    die_wait,      ///< the die is busy with something else
    bus_wait,      ///< the channel is busy with something else
    bus_transfer,  ///< commands and data on the channel
    media,         ///< the cell array: tR
    ecc,           ///< decoding
    link_back      ///< status, read data, with the wait for the link
};

inline constexpr std::size_t kCauses = 12;
inline constexpr std::array<const char*, kCauses> kCauseNames{"host_queue",   "link",         "firmware", "dram",
                                                              "buffer_gc",    "buffer_media", "die_wait", "bus_wait",
                                                              "bus_transfer", "media",        "ecc",      "link_back"};

/// Where a command's time went.  Invariant: the parts sum to the time from start() to the last charge(), exactly.
class Stamps {
public:
    void start(Time now) {
        spent_.fill(Time{0});
        begin_ = last_ = now;
    }
    /// All that has passed since the last charge had this cause.
    void charge(Cause cause, Time now) {
        spent_[static_cast<std::size_t>(cause)] += now - last_;
        last_ = now;
    }
    [[nodiscard]] Time spent(Cause cause) const { return spent_[static_cast<std::size_t>(cause)]; }
    [[nodiscard]] const std::array<Time, kCauses>& all() const { return spent_; }
    [[nodiscard]] Time begin() const { return begin_; }
    [[nodiscard]] Time last() const { return last_; }
    [[nodiscard]] Time sum() const {
        Time total{0};
        for (const Time t : spent_) {
            total += t;
        }
        return total;
    }

private:
    std::array<Time, kCauses> spent_{};
    Time begin_{0};
    Time last_{0};
};

}  // namespace ftlab::controller
