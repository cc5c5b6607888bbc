// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>

#include "sim/base/config.h"
#include "sim/base/units.h"

namespace ftlab::controller {

/// SATA (Serial ATA Revision 3.x): 8b/10b line rate and the cost of frames.
struct SataParams {
    Bandwidth rate{600'000'000};
    Bytes data_frame{8192};
    Duration data_frame_overhead{1'300'000};
    Duration frame_overhead{275'000};

    static void describe(config::Fields<SataParams>& f);
};

/// The serial link between host and drive: half duplex, one frame at a time, first come first served.  Such a server
/// never pre-empts, so it is a busy-until timeline and needs no events of its own.
///
/// Frames of an NCQ command (AHCI 1.3.1, SATA 3.x): host-to-device register FIS, answered by a device-to-host FIS that
/// releases the tag's bus; DMA setup and data FISes of up to 8 KiB; set-device-bits FIS with the status.
class SataLink final : public sc_core::sc_module {
public:
    SataLink(const sc_core::sc_module_name& name, const SataParams& params);

    /// Each takes the link for the given traffic, not before `from`, and returns when it ends.
    Time command(Time from) { return take(from, command_); }
    Time data(Time from, Bytes size) { return take(from, dma_setup_ + data_length(size)); }
    Time status(Time from) { return take(from, status_); }

    /// Pure lengths, for tests and reports.
    [[nodiscard]] Duration command_length() const { return command_; }
    [[nodiscard]] Duration status_length() const { return status_; }
    [[nodiscard]] Duration data_length(Bytes size) const { return size == kSectorSize ? sector_ : frames_of(size); }
    [[nodiscard]] Time busy() const { return busy_; }

private:
    Time take(Time from, Duration length) {
        free_at_ = std::max(free_at_, from) + length;
        busy_ += length;
        return free_at_;
    }
    [[nodiscard]] Duration frame(Bytes payload) const;
    [[nodiscard]] Duration frames_of(Bytes size) const;

    SataParams params_;
    Duration command_, dma_setup_, status_;
    Duration sector_;  // of 4 KiB, the length asked for most
    Time free_at_{0};
    Time busy_{0};
};

}  // namespace ftlab::controller
