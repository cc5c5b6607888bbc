// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "controller/dram/dram.h"
#include "controller/firmware/firmware.h"
#include "controller/flash/flash_controller.h"
#include "controller/host/command.h"
#include "controller/link/sata_link.h"
#include "controller/scheduler.h"
#include "ftl/ftl.h"

namespace ftlab::controller {

/// Takes the answer to a command.
class HostResponder {
public:
    virtual void respond(HostCommand& command) = 0;

protected:
    ~HostResponder() = default;
};

/// The drive's command layer of AHCI over SATA with native command queuing (AHCI 1.3.1, ATA8-ACS): 32 tags.
///
/// - write: command FIS, decode, wait for buffer room, data FISes, DRAM, status FIS (acknowledged from DRAM);
/// - read: command FIS, decode, flash or buffer, DRAM, data FISes and status FIS;
/// - trim, flush: non-queued; the host lets all other commands end first.
///
/// Every instant of a command is charged to one cause; the sum is its latency (checked for every command).
class Ahci final : public sc_core::sc_module, public FlashClient, private EventSink {
public:
    static constexpr std::uint32_t kTags = 32;

    struct Parts {
        Scheduler& scheduler;
        SataLink& link;
        Firmware& firmware;
        Dram& dram;
        FlashController& flash;
        ftl::Ftl& ftl;
    };
    Ahci(const sc_core::sc_module_name& name, const Parts& parts);

    void answer_to(HostResponder& responder) { responder_ = &responder; }

    /// Accepts a command whose tag is free and less than kTags.
    void begin(HostCommand& command);

    [[nodiscard]] std::uint32_t outstanding() const { return outstanding_; }

    void finished(CommandId tag, const Flight* last) override;
    void progressed() override;

private:
    enum What : std::uint16_t { arrived, decoded, data_in, status, answered, silent };

    struct Slot {
        HostCommand* command = nullptr;
        std::uint64_t next_lba = 0;    // of a write: first LBA not yet asked for
        std::uint32_t burst_lbas = 0;  // of the burst on the link
        std::uint32_t burst_sectors = 0;
        Time mark{0};        // between two causes of one event
        bool waits = false;  // for buffer room, or for its data to be programmed
    };

    void on_event(std::uint32_t what, std::uint32_t tag) override;
    void decode(Slot& slot, Time arrival);
    void on_decoded(Slot& slot);
    void on_data_in(Slot& slot);
    void on_answered(Slot& slot);
    void on_silent();
    void ask_for_data(std::uint32_t tag);
    bool start_burst(std::uint32_t tag);
    void serve_waiting();
    void note_reason();
    void post(Time at, What what, const Slot& slot) { parts_.scheduler.post(at, sink_, what, slot.command->tag.value); }
    [[nodiscard]] Cause room_cause() const { return was_blocked_ ? Cause::buffer_gc : Cause::buffer_media; }

    Parts parts_;
    HostResponder* responder_ = nullptr;
    SinkId sink_;
    std::array<Slot, kTags> slots_{};
    std::uint32_t outstanding_ = 0;
    std::array<std::uint32_t, kTags> waiting_{};  // ring of tags that wait for buffer room, first come first served
    std::uint32_t waiting_head_ = 0;
    std::uint32_t waiting_count_ = 0;
    std::uint32_t in_transit_ = 0;  // sectors promised room and not yet in the buffer
    bool was_blocked_ = false;      // the FTL's host_blocked() up to now
    Time silent_since_{0};
    bool silence_watched_ = false;
};

}  // namespace ftlab::controller
