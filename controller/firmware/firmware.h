// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <systemc>

#include "sim/base/config.h"
#include "sim/base/units.h"

namespace ftlab::controller {

/// What the firmware's tasks cost and on which core they run.  *Occupancy* keeps a core from other work; *latency* only
/// delays the command (both exist in real drives and differ, drives.md B3).
struct FirmwareParams {
    std::uint32_t cores = 2;
    std::uint32_t front_core = 0;
    std::uint32_t back_core = 1;
    Duration read_command{12'500'000};
    Duration write_command{13'000'000};
    Duration other_command{13'000'000};
    Duration extra_read_sector{300'000};
    Duration extra_write_sector{300'000};
    Duration program_sector{9'500'000};
    Duration move_sector{9'500'000};
    Duration decode_latency{0};
    Duration completion_latency{2'000'000};

    static void describe(config::Fields<FirmwareParams>& f);
};

/// The firmware cores: each does one task at a time, first come first served, never interrupted: busy-until timelines.
/// The front core serves host commands, the back core builds program units; they may be the same core.
class Firmware final : public sc_core::sc_module {
public:
    Firmware(const sc_core::sc_module_name& name, const FirmwareParams& params);

    /// Does the front core nothing but decode?  Commands come over the link in order, so each can then be queued as
    /// soon as its time of arrival is known: the core needs no event for it.
    [[nodiscard]] bool decodes_alone() const { return params_.front_core != params_.back_core; }
    /// Each queues a task on its core at `now` and returns when it is done.
    Time decode_read(Time now, std::uint32_t sectors) {
        return run(params_.front_core, now, params_.read_command + params_.extra_read_sector * (sectors - 1)) +
               params_.decode_latency;
    }
    Time decode_write(Time now, std::uint32_t sectors) {
        return run(params_.front_core, now, params_.write_command + params_.extra_write_sector * (sectors - 1)) +
               params_.decode_latency;
    }
    Time decode_other(Time now) { return run(params_.front_core, now, params_.other_command) + params_.decode_latency; }
    Time build_program(Time now, bool gc, std::uint32_t sectors) {
        return run(params_.back_core, now, (gc ? params_.move_sector : params_.program_sector) * sectors);
    }
    [[nodiscard]] Duration completion_latency() const { return params_.completion_latency; }
    [[nodiscard]] Time busy(std::uint32_t core) const { return busy_[core]; }
    [[nodiscard]] std::uint32_t cores() const { return params_.cores; }

private:
    static constexpr std::uint32_t kMaxCores = 8;

    Time run(std::uint32_t core, Time now, Duration occupancy) {
        free_at_[core] = std::max(free_at_[core], now) + occupancy;
        busy_[core] += occupancy;
        return free_at_[core];
    }

    FirmwareParams params_;
    std::array<Time, kMaxCores> free_at_{};
    std::array<Time, kMaxCores> busy_{};
};

}  // namespace ftlab::controller
