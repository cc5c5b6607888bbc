// SPDX-License-Identifier: MIT
#include "sim/scenario/runner.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ftl/instant_flash.h"
#include "sim/base/check.h"
#include "sim/device/system.h"
#include "sim/workload/source.h"

namespace ftlab::scenario {

namespace {

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

controller::Scheduler::Engine engine_of(Engine engine) {
    switch (engine) {
        case Engine::run_ahead:
            return controller::Scheduler::Engine::run_ahead;
        case Engine::strict:
            return controller::Scheduler::Engine::strict;
        case Engine::kernel:
            return controller::Scheduler::Engine::kernel;
    }
    return controller::Scheduler::Engine::run_ahead;
}

class Runner final : private ftl::GcObserver {
public:
    Runner(const Experiment& experiment, Watcher& watcher)
        : experiment_{experiment},
          watcher_{watcher},
          random_{experiment.seed},
          drive_{*experiment.device, experiment.user_sectors, random_},
          instant_{drive_.ftl()},
          trigger_name_{experiment.device->ftl.gc.trigger.name()} {
        if (experiment.gc_log != nullptr) {
            drive_.ftl().observe_gc(this);
        }
    }

    report::Result run() {
        report::Result result;
        for (const PhasePlan& plan : experiment_.phases) {
            if (stop_) {
                break;
            }
            plan_ = &plan;
            const double cpu = cpu_seconds();
            const ftl::Counters before = drive_.ftl().counters();
            report::PhaseResult phase = one(plan);
            phase.name = plan.name;
            phase.kind = plan.kind;
            phase.timed = plan.timed;
            phase.ftl = drive_.ftl().counters() - before;
            phase.cpu_seconds = cpu_seconds() - cpu;
            phase.interrupted = stop_ && !finished_;
            drive_.ftl().check_identities();
            watcher_.phase_ended(phase, drive_.ftl());
            result.phases.push_back(std::move(phase));
        }
        result.partial = stop_;
        result.wear = wear();
        return result;
    }

    [[nodiscard]] std::uint64_t events() const { return system_ ? system_->scheduler().events() : 0; }

private:
    static constexpr std::size_t kPrefetch = 32;              // requests ahead: more than a cache miss takes
    static constexpr std::uint64_t kLookUpEvery = 1U << 14U;  // requests between two looks at the outside world

    report::PhaseResult one(const PhasePlan& plan) {
        finished_ = false;
        if (plan.timed) {
            return timed(plan);
        }
        if (system_) {
            system_->bring_to_rest();
            drive_.ftl().hold(false);  // for the instant executor; nothing is in flight
        }
        bare_ = true;
        report::PhaseResult phase = bare(plan);
        bare_ = false;
        if (system_) {
            system_->wake_up();
        }
        return phase;
    }

    void look_up() { stop_ = stop_ || watcher_.interrupted() || log_failed(); }
    [[nodiscard]] bool log_failed() const { return experiment_.gc_log != nullptr && experiment_.gc_log->failed(); }

    report::PhaseResult bare(const PhasePlan& plan) {
        report::PhaseResult phase;
        if (plan.kind == "secure_erase") {
            drive_.ftl().secure_erase();
            finished_ = true;
            return phase;
        }
        if (!plan.start) {  // silence
            instant_.offer({.now = Time{0}, .idle_for = plan.duration, .waiting_commands = 0});
            instant_.offer({.now = plan.duration, .idle_for = Time{0}, .waiting_commands = 1});  // the host is back
            finished_ = true;
            return phase;
        }
        const std::unique_ptr<workload::Source> source = plan.start(random_);
        play(plan, *source, phase);
        if (plan.details) {
            phase.details = plan.details(*source);
        }
        return phase;
    }

    void play(const PhasePlan& plan, workload::Source& source, report::PhaseResult& phase) {
        const ftl::Ftl& ftl = drive_.ftl();
        const ftl::Counters before = ftl.counters();
        std::uint64_t ios = 0;
        std::uint64_t bytes = 0;
        std::uint64_t next_look = kLookUpEvery;
        workload::Lookahead requests{source};
        for (const workload::Request* r = requests.front(); r != nullptr; r = requests.front()) {
            if (ios >= plan.max_ios || bytes >= plan.max_bytes) {
                break;
            }
            if (const workload::Request* later = requests.ahead(kPrefetch); later != nullptr) {
                ftl.prefetch(later->first.value);
            }
            carry_out(*r);
            host::OpStats& stats = phase.host.ops[static_cast<std::size_t>(r->op)];
            ++stats.ios;
            stats.bytes += r->size().count;
            ++ios;
            bytes += r->size().count;
            requests.pop();
            if (ios == next_look) {
                next_look += kLookUpEvery;
                watcher_.progressed(bare_progress(plan, ios, bytes, ftl.counters() - before));
                look_up();
                if (stop_) {
                    phase.host.issued = phase.host.completed = ios;
                    return;
                }
            }
        }
        phase.host.issued = phase.host.completed = ios;
        finished_ = true;
    }

    void carry_out(const workload::Request& r) {
        switch (r.op) {
            case workload::Op::write:
                instant_.write(r.first.value, r.lbas);
                if (r.fua) {
                    instant_.flush();
                }
                break;
            case workload::Op::read:
                for (std::uint64_t done = 0; done < r.lbas;) {
                    const auto piece = static_cast<std::uint32_t>(std::min<std::uint64_t>(r.lbas - done, 1U << 20U));
                    instant_.read(r.first.value + done, piece);
                    done += piece;
                }
                break;
            case workload::Op::trim:
                instant_.trim(r.first.value, r.lbas);
                break;
            case workload::Op::flush:
                instant_.flush();
                break;
        }
    }

    [[nodiscard]] Progress bare_progress(const PhasePlan& plan,
                                         std::uint64_t ios,
                                         std::uint64_t bytes,
                                         const ftl::Counters& ftl) const {
        return {.phase = plan.name,
                .done = done_share(plan, 0, ios, bytes),
                .iops = static_cast<double>(ios),
                .waf = ftl.waf()};
    }

    static double done_share(const PhasePlan& plan, double seconds, std::uint64_t ios, std::uint64_t bytes) {
        double done = plan.expected_ios == 0 ? 0.0 : static_cast<double>(ios) / static_cast<double>(plan.expected_ios);
        if (plan.duration != kNever) {
            done = std::max(done, seconds / to_seconds(plan.duration));
        }
        if (plan.max_ios != PhasePlan::kUnlimited) {
            done = std::max(done, static_cast<double>(ios) / static_cast<double>(plan.max_ios));
        }
        if (plan.max_bytes != PhasePlan::kUnlimited) {
            done = std::max(done, static_cast<double>(bytes) / static_cast<double>(plan.max_bytes));
        }
        return std::min(done, 1.0);
    }

    report::PhaseResult timed(const PhasePlan& plan) {
        if (!system_) {
            sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
            system_ = std::make_unique<device::System>(drive_, engine_of(experiment_.engine), kNever);
            origin_ = system_->scheduler().now();
        }
        const Time begin = system_->scheduler().now();
        report::PhaseResult phase;
        report::Series& series = phase.series.emplace(origin_, begin);
        ftl::Counters last = drive_.ftl().counters();
        std::uint64_t ios = 0;
        std::uint64_t bytes = 0;
        host::HostDriver::Watch watch;
        watch.second = [&](const host::Sample& sample) {
            const ftl::Counters now = drive_.ftl().counters();
            const ftl::Counters delta = now - last;
            last = now;
            series.add({.host = sample,
                        .sectors_programmed = delta.sectors_programmed.total(),
                        .host_sectors = delta.host_sectors_received,
                        .free_superblocks = drive_.ftl().pool().free_count(),
                        .buffer_used_bytes = drive_.ftl().buffer().used() * kSectorSize.count});
            std::uint64_t in_second = 0;
            for (std::size_t op = 0; op < host::kOps; ++op) {
                in_second += sample.ios[op];
                bytes += sample.bytes[op];
            }
            ios += in_second;
            const double seconds = to_seconds(sample.end - begin);
            watcher_.progressed({.phase = plan.name,
                                 .timed = true,
                                 .seconds = seconds,
                                 .total_seconds = plan.duration == kNever ? 0.0 : to_seconds(plan.duration),
                                 .done = done_share(plan, seconds, ios, bytes),
                                 .iops = static_cast<double>(in_second) / to_seconds(sample.end - sample.begin),
                                 .waf = delta.waf()});
        };
        watch.interrupted = [&] {
            look_up();
            return stop_;
        };
        if (plan.start) {
            const std::unique_ptr<workload::Source> source = plan.start(random_);
            phase.host = system_->host().run({.source = source.get(),
                                              .queue_depth = plan.queue_depth,
                                              .open_loop = plan.open_loop,
                                              .duration = plan.duration,
                                              .max_ios = plan.max_ios,
                                              .max_bytes = plan.max_bytes},
                                             watch);
            if (plan.details) {
                phase.details = plan.details(*source);
            }
        } else {
            phase.host = system_->host().idle(plan.duration, watch);
        }
        series.finish();
        finished_ = !phase.host.interrupted;
        if (phase.host.issued != phase.host.completed) {
            throw Incomplete{fmt::format("phase {}: {} commands were issued and {} completed", plan.name,
                                         phase.host.issued, phase.host.completed)};
        }
        return phase;
    }

    void collected(const ftl::GcEvent& event) override {
        const std::optional<double> seconds =
            bare_ || !system_ ? std::nullopt : std::optional{to_seconds(system_->scheduler().now() - origin_)};
        const std::string_view why = drive_.ftl().host_blocked() ? "stop"
                                     : plan_->kind == "idle"     ? "idle"
                                                                 : std::string_view{trigger_name_};
        experiment_.gc_log->add(seconds, drive_.ftl().counters().host_sectors_received, plan_->name, why, event);
    }

    [[nodiscard]] report::Wear wear() const {
        const nand::Array& array = drive_.ftl().array();
        const nand::Geometry& g = array.geometry();
        report::Wear wear{.min = ~0U};
        std::uint64_t sum = 0;
        std::uint64_t blocks = 0;
        for (std::uint32_t die = 0; die < g.dies(); ++die) {
            for (std::uint32_t plane = 0; plane < g.planes; ++plane) {
                for (std::uint32_t block = 0; block < g.blocks_per_plane; ++block) {
                    const nand::DieId id{static_cast<std::uint16_t>(die)};
                    if (array.is_bad(id, plane, block)) {
                        continue;
                    }
                    const std::uint32_t erases = array.erase_count(id, plane, block);
                    wear.min = std::min(wear.min, erases);
                    wear.max = std::max(wear.max, erases);
                    sum += erases;
                    ++blocks;
                }
            }
        }
        wear.min = blocks == 0 ? 0 : wear.min;
        wear.mean = blocks == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(blocks);
        return wear;
    }

    const Experiment& experiment_;
    Watcher& watcher_;
    RandomStreams random_;
    device::Drive drive_;
    ftl::InstantFlash instant_;
    std::unique_ptr<device::System> system_;  // from the first timed phase on
    std::string trigger_name_;
    const PhasePlan* plan_ = nullptr;
    Time origin_{0};
    bool bare_ = false;
    bool stop_ = false;
    bool finished_ = false;  // the phase came to its own end
};

}  // namespace

report::Result run(const Experiment& experiment, Watcher& watcher, report::RunFacts& facts) {
    Runner runner{experiment, watcher};
    report::Result result = runner.run();
    result.seed = experiment.seed;
    result.device = experiment.device->description;
    result.spare = device::spare_of(*experiment.device, experiment.user_sectors);
    result.device_config = std::make_shared<nlohmann::ordered_json>(config::effective(*experiment.device));
    facts.events = runner.events();
    return result;
}

}  // namespace ftlab::scenario
