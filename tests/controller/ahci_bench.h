// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "controller/host/ahci.h"
#include "controller/ssd.h"
#include "tests/controller/fresh_kernel.h"
#include "tests/ftl/drive.h"

namespace ftlab::controller::testing {

/// A whole drive behind its command layer, with a host that does what a test says.  Commands are numbered in the order
/// in which they are issued.
class AhciBench final : private HostResponder, private EventSink {
public:
    struct Spec {
        nand::Geometry geometry = ftlab::testing::geometry_of(2, 2, 2, 32, 16);
        std::string ftl = "write_buffer: {size: 256 KiB}";
        std::uint32_t user_sectors = 0;
        nand::CellParams cell;
        nand::BusParams bus;
        ControllerParams controller;
    };
    /// A command as the test asks for it; in LBAs.
    struct Ask {
        HostOp op = HostOp::read;
        std::uint64_t first = 0;
        std::uint64_t count = 8;
        bool fua = false;
    };

    explicit AhciBench(const Spec& spec)
        : params{spec.controller},
          drive_{{spec.geometry, spec.ftl, spec.user_sectors}},
          timing{spec.geometry, spec.cell, spec.bus},
          link{"link", params.sata},
          firmware_{"firmware", params.firmware},
          dram_{"dram", params.dram},
          flash{"flash", scheduler, firmware_, spec.geometry, timing, params.flash, drive_.ftl},
          ahci_{"ahci", {scheduler, link, firmware_, dram_, flash, drive_.ftl}},
          sink_{scheduler.attach(*this)} {
        ahci_.answer_to(*this);
        for (std::uint32_t tag = Ahci::kTags; tag > 0; --tag) {
            free_tags_.push_back(tag - 1);
        }
    }

    [[nodiscard]] ftl::Ftl& ftl() { return drive_.ftl; }
    [[nodiscard]] const ftl::Counters& counters() const { return drive_.ftl.counters(); }

    /// Issues the command at `at`; its tag must be free by then.
    std::uint32_t issue(Time at, const Ask& ask) {
        const auto index = static_cast<std::uint32_t>(commands.size());
        HostCommand& c = commands.emplace_back();
        c.op = ask.op;
        c.first = ask.first;
        c.count = ask.count;
        c.fua = ask.fua;
        ends.push_back(kNever);
        scheduler.post(at, sink_, 0, index);
        return index;
    }
    /// Keeps `depth` commands in flight until `count` have been issued.
    void closed_loop(Time at, std::uint32_t depth, std::uint64_t count, std::function<Ask()> next) {
        loop_left_ = count;
        loop_ = std::move(next);
        for (std::uint32_t i = 0; i < depth; ++i) {
            issue_next(at);
        }
    }
    /// Lets everything end.
    void play() { scheduler.run(kNever - Duration{1}); }
    /// The gate is tight: no answer at `at` - 1 ps, the answer is there at `at`.
    [[nodiscard]] bool answered_at(std::uint32_t command, Time at) {
        scheduler.run(at - Duration{1});
        if (ends[command] != kNever) {
            return false;
        }
        scheduler.run(at);
        return ends[command] == at;
    }
    [[nodiscard]] Duration latency(std::uint32_t command) const {
        return ends[command] - commands[command].stamps.begin();
    }
    [[nodiscard]] Duration spent(std::uint32_t command, Cause cause) const {
        return commands[command].stamps.spent(cause);
    }
    [[nodiscard]] Duration total(Cause cause) const {
        Duration sum{0};
        for (const HostCommand& c : commands) {
            sum += c.stamps.spent(cause);
        }
        return sum;
    }
    /// On the link: what opens the transfer of data, and the data.
    [[nodiscard]] Duration data_phase(Bytes size) const {
        return transfer_time(Bytes{28}, params.sata.rate) + params.sata.frame_overhead + link.data_length(size);
    }
    [[nodiscard]] Duration dram_pass(Bytes size) const { return transfer_time(size, params.dram.rate); }

    std::function<void(std::uint32_t command)> on_answer;

    ControllerParams params;

private:
    FreshKernel kernel_;
    ftlab::testing::Drive drive_;

public:
    Scheduler scheduler{"scheduler"};
    nand::Timing timing;
    SataLink link;

private:
    Firmware firmware_;
    Dram dram_;

public:
    FlashController flash;
    std::deque<HostCommand> commands;  // stay in place
    std::vector<Time> ends;

private:
    void issue_next(Time at) {
        if (loop_left_ > 0) {
            --loop_left_;
            issue(at, loop_());
        }
    }
    void on_event(std::uint32_t /*what*/, std::uint32_t index) override {
        HostCommand& c = commands[index];
        c.tag = CommandId{free_tags_.back()};
        free_tags_.pop_back();
        by_tag_[c.tag.index()] = index;
        c.stamps.start(scheduler.now());
        ahci_.begin(c);
    }
    void respond(HostCommand& command) override {
        const std::uint32_t index = by_tag_[command.tag.index()];
        ends[index] = scheduler.now();
        free_tags_.push_back(command.tag.value);
        if (on_answer) {
            on_answer(index);
        }
        issue_next(scheduler.now());
    }

    Ahci ahci_;
    SinkId sink_;
    std::vector<std::uint32_t> free_tags_;
    std::array<std::uint32_t, Ahci::kTags> by_tag_{};
    std::uint64_t loop_left_ = 0;
    std::function<Ask()> loop_;
};

}  // namespace ftlab::controller::testing
