// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <systemc>
#include <tlm>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>

#include "controller/host/ahci.h"
#include "controller/host/command.h"
#include "controller/scheduler.h"
#include "sim/device/device.h"
#include "sim/host/phase_stats.h"
#include "sim/workload/source.h"

namespace ftlab::host {

/// What the host does in one timed phase.
struct Job {
    workload::Source* source = nullptr;
    std::uint32_t queue_depth = 32;  ///< commands in flight at most; 1 to 32, the tags of NCQ
    bool open_loop = false;          ///< issue by arrival times instead of as fast as the queue allows
    Time duration = kNever;          ///< stop issuing after this long
    std::uint64_t max_ios = ~std::uint64_t{0};
    std::uint64_t max_bytes = ~std::uint64_t{0};
};

/// Nothing completes any more although commands wait: a fault of the model, never of the user.
class Stalled : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The host: issues the requests of a source over 32 NCQ tags and takes the answers.
///
/// Closed loop: each tag issues its next command `complete + submit` after the last one ended.  Open loop: a request is
/// due at its arrival time; while no tag is free it waits in the host, and that wait is part of its latency.
/// Trims and flushes are non-queued: everything in flight ends first, and nothing else is issued meanwhile.  Both waits
/// are part of a latency, in a closed loop too: an application has submitted its command and waits, whether or not
/// the host's driver (libata defers such commands) has sent it to the drive.
class HostDriver final : public sc_core::sc_module, private controller::EventSink {
public:
    HostDriver(const sc_core::sc_module_name& name,
               controller::Scheduler& scheduler,
               const device::HostProfile& profile);

    ~HostDriver() override;

    tlm_utils::simple_initiator_socket<HostDriver> socket{"socket"};

    struct Watch {
        std::function<void(const Sample&)> second;  ///< after each simulated second of the phase
        std::function<bool()> interrupted;          ///< asked about once a simulated second and every 65536 commands
    };

    /// Runs the phase until its end and until every command has ended.  Throws Stalled, or what the source throws.
    PhaseStats run(const Job& job, const Watch& watch);
    /// Lets simulated time pass without commands.
    PhaseStats idle(Duration duration, const Watch& watch);

private:
    enum What : std::uint16_t { submit, arrival, second, time_up };
    static constexpr std::uint32_t kTags = controller::Ahci::kTags;

    struct Tag {
        controller::HostCommand command;
        tlm::tlm_generic_payload payload;
        controller::CommandExtension extension;
        Time ready{0};  // closed loop: when its next command could have been issued
    };

    tlm::tlm_sync_enum answered(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void on_event(std::uint32_t what, std::uint32_t data) override;
    void try_issue(std::uint32_t tag);
    void issue(std::uint32_t tag, const workload::Request& request);
    void park(std::uint32_t tag) { parked_[parked_count_++] = tag; }
    void wake_parked();
    void on_second();
    void take_sample(Time end);
    void stop_issuing();
    void play();
    void begin_phase(const Watch& watch);

    controller::Scheduler& scheduler_;
    device::HostProfile profile_;
    controller::SinkId sink_;
    std::array<Tag, kTags> tags_;
    std::array<std::uint32_t, kTags> parked_{};
    std::uint32_t parked_count_ = 0;

    const Watch* watch_ = nullptr;
    Job job_;
    std::optional<workload::Lookahead> requests_;
    PhaseStats stats_;
    Sample sample_;
    std::uint32_t phase_ = 0;  // events of an earlier phase are stale
    std::uint32_t outstanding_ = 0;
    std::uint64_t issued_bytes_ = 0;
    bool issuing_ = false;
    bool barrier_ = false;        // a non-queued command is in flight
    bool arrival_timer_ = false;  // an arrival event is pending
    std::uint64_t completed_at_last_second_ = 0;
    std::uint32_t silent_seconds_ = 0;
};

}  // namespace ftlab::host
