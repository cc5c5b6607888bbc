// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "controller/flash/channel.h"
#include "controller/flash/flight.h"
#include "controller/scheduler.h"
#include "nand/timing.h"
#include "tests/controller/fresh_kernel.h"

namespace ftlab::controller::testing {

/// An operation that a test hands to a channel at a given time.
struct Job {
    Time at{0};
    std::uint32_t die = 0;
    ftl::OpKind kind = ftl::OpKind::read;
    std::uint16_t page = 0;
    std::uint16_t sectors = 1;
    std::uint16_t planes = 1;
};

struct ChannelSpec {
    std::uint32_t dies = 1;
    FlashParams flash{};
    nand::CellParams cell{};
    nand::BusParams bus{};

    [[nodiscard]] nand::Geometry geometry() const {
        nand::Geometry g;
        g.channels = 1;
        g.dies_per_channel = dies;
        g.planes = 2;
        return g;
    }
};

/// One channel alone on a kernel of its own.  Jobs are numbered in the order of add().
class ChannelBench final : private EventSink, private FlashDoneInterface {
public:
    explicit ChannelBench(const ChannelSpec& spec)
        : timing_{spec.geometry(), spec.cell, spec.bus},
          channel_{"channel", scheduler_, timing_, spec.flash, spec.dies, flights_, *this},
          sink_{scheduler_.attach(*this)} {}

    std::uint32_t add(const Job& job) {
        const auto id = static_cast<std::uint32_t>(jobs_.size());
        jobs_.push_back(job);
        ends_.push_back(kNever);
        scheduler_.post(job.at, sink_, 0, id);
        return id;
    }
    /// Lets everything end.
    void play() { scheduler_.run(kNever - Duration{1}); }

    /// The gate is tight: the operation has not ended at `at` - 1 ps and has ended at `at`.
    [[nodiscard]] bool ends_at(std::uint32_t job, Time at) {
        scheduler_.run(at - Duration{1});
        if (ended(job)) {
            return false;
        }
        scheduler_.run(at);
        return ended(job);
    }
    [[nodiscard]] bool ended(std::uint32_t job) const { return ends_[job] != kNever; }
    [[nodiscard]] Time end(std::uint32_t job) const { return ends_[job]; }
    [[nodiscard]] const std::vector<Time>& ends() const { return ends_; }
    [[nodiscard]] const Flight& flight(std::uint32_t job) { return flights_[job]; }
    [[nodiscard]] const nand::Timing& timing() const { return timing_; }
    [[nodiscard]] const FlashChannel& channel() const { return channel_; }
    [[nodiscard]] std::uint64_t events() const { return scheduler_.events(); }

    /// Called at the end of each operation; may add jobs.
    std::function<void(std::uint32_t job)> on_end;

private:
    void on_event(std::uint32_t /*what*/, std::uint32_t id) override {
        const Job& j = jobs_[id];
        flights_.enter({.id = ftl::OpId{id},
                        .kind = j.kind,
                        .sectors = j.sectors,
                        .planes = j.planes,
                        .page = j.page,
                        .die = nand::DieId{static_cast<std::uint16_t>(j.die)},
                        .tag = CommandId{}});
        channel_.submit(j.die, id);
    }
    void flash_done(std::uint32_t id) override {
        ends_[id] = scheduler_.now();
        if (on_end) {
            on_end(id);
        }
    }

    FreshKernel kernel_;
    Scheduler scheduler_{"scheduler"};
    nand::Timing timing_;
    Flights flights_;
    FlashChannel channel_;
    SinkId sink_;
    std::vector<Job> jobs_;
    std::vector<Time> ends_;
};

}  // namespace ftlab::controller::testing
