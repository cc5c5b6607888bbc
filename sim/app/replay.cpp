// SPDX-License-Identifier: MIT
#include "sim/workload/replay.h"

#include <exception>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/app/experiment.h"
#include "sim/scenario/catalog.h"
#include "sim/scenario/cross_check.h"

namespace ftlab::app {

namespace {

enum class Precondition : std::uint8_t { none, fill };

}  // namespace

}  // namespace ftlab::app

template <>
struct ftlab::config::EnumNames<ftlab::app::Precondition> {
    using Precondition = ftlab::app::Precondition;
    static constexpr EnumName<Precondition> kNames[] = {{Precondition::none, "none"}, {Precondition::fill, "fill"}};
};

namespace ftlab::app {

namespace {

using Json = nlohmann::ordered_json;

/// A trace that turns out to be damaged while it is played (a pipe: files were read before) ends the phase; the error
/// must not travel through the simulation kernel.
class Guarded final : public workload::Source {
public:
    explicit Guarded(std::unique_ptr<workload::Replay> replay) : replay_{std::move(replay)} {}

    std::size_t fill(std::span<workload::Request> out) override {
        if (error_) {
            return 0;
        }
        try {
            return replay_->fill(out);
        } catch (...) {
            error_ = std::current_exception();
            return 0;
        }
    }
    [[nodiscard]] bool has_arrival_times() const override { return replay_->has_arrival_times(); }

    [[nodiscard]] const workload::Replay& replay() const { return *replay_; }
    void rethrow() const {
        if (error_) {
            std::rethrow_exception(error_);
        }
    }

private:
    std::unique_ptr<workload::Replay> replay_;
    std::exception_ptr error_;
};

Json counts_json(const workload::Replay& replay) {
    const workload::ReplayCounts& c = replay.counts();
    const workload::TraceCounts& t = replay.trace_counts();
    return {{"trace_requests", t.requests},
            {"trace_other_lines", t.other_lines},
            {"trace_damaged_lines", t.damaged_lines},
            {"requests_delivered", c.delivered},
            {"requests_split", c.split},
            {"requests_ignored", c.ignored},
            {"requests_of_other_disks", c.other_disks},
            {"requests_at_negative_offsets", c.negative},
            {"requests_empty", c.empty},
            {"requests_delayed", c.delayed},
            {"trim_lbas_dropped", c.trim_lbas_dropped}};
}

workload::ReplayParams params_of(const ReplayOptions& o) {
    workload::ReplayParams p;
    p.file = o.trace == "-" ? "/dev/stdin" : o.trace;
    if (!o.format.empty()) {
        p.format = o.format;
    }
    if (!o.skip_bad.empty()) {
        p.skip_bad = option_value<Ratio>("--skip-bad", o.skip_bad);
        if (p.skip_bad.value < 0 || p.skip_bad.value > 1) {
            throw config::Error{{{{"--skip-bad", 1, 1}, "", "must be between 0% and 100%"}}};
        }
    }
    p.disk = o.disk;
    for (const std::string& op : o.ignore) {
        p.ignore.push_back(option_value<workload::Op>("--ignore", op));
    }
    p.negative = option_value<workload::NegativeOffsets>("--negative", o.negative);
    p.map.rule = option_value<workload::AddressRule>("--map", o.map);
    p.arrival_times = o.closed_loop == 0;
    if (!o.speed.empty()) {
        p.speed = option_value<double>("--speed", o.speed);
        constexpr double kMost = 1e6;
        if (p.speed < 1 / kMost || p.speed > kMost) {
            throw config::Error{{{{"--speed", 1, 1}, "", "must be between 0.000001 and 1000000"}}};
        }
    }
    return p;
}

}  // namespace

int replay(const ReplayOptions& options) {
    const auto catalog = scenario::builtin_catalog();
    const scenario::Options general = scenario_options(options);
    scenario::Options for_device = general;
    std::vector<config::Problem> problems;
    for (std::size_t i = 0; i < for_device.sets.size(); ++i) {  // there is nothing else to set
        if (!for_device.sets[i].starts_with("device.")) {
            problems.push_back({{"--set", static_cast<int>(i) + 1, 1},
                                "",
                                "only keys of the device can be set here; write "
                                "it like \"device.ftl.gc.victim=fifo\""});
        }
    }
    const scenario::Device device =
        scenario::load_device(options.device, "", {"--device", 1, 1}, for_device, *catalog, problems);
    config::throw_if_any(std::move(problems));

    scenario::Scenario whole;
    whole.device = device;
    whole.params.unused = general.unused.value_or(Ratio{0});
    const std::uint64_t lbas = whole.used() / kLbaSize;
    const workload::ReplayParams params = params_of(options);
    if (const auto complaint = workload::complaint(params.map, lbas)) {
        throw config::Error{{{{"--map", 1, 1}, "", complaint->sentence}}};
    }
    const auto mode = option_value<scenario::Mode>("--mode", options.mode);

    Job job;
    if (option_value<Precondition>("--precondition", options.precondition) == Precondition::fill) {
        whole.params.phases =
            config::load_text<std::vector<scenario::PhaseParams>>("[fill: {}]", {.catalog = catalog.get()});
        whole.names = scenario::phase_names(whole.params);
        job.experiment.phases = scenario::plan(whole);
    }
    // Reads the whole trace once, so that what is wrong with it comes out now.
    auto source = std::make_shared<std::unique_ptr<Guarded>>(
        std::make_unique<Guarded>(std::make_unique<workload::Replay>(params, lbas)));
    const Guarded* guarded = source->get();
    scenario::PhasePlan phase;
    phase.name = "replay";
    phase.kind = "replay";
    phase.timed = mode == scenario::Mode::timed;
    phase.start = [source](const RandomStreams&) -> std::unique_ptr<workload::Source> { return std::move(*source); };
    phase.open_loop = params.arrival_times;
    phase.queue_depth = options.closed_loop == 0 ? 32 : options.closed_loop;
    if (const auto& total = guarded->replay().total()) {
        phase.expected_ios = total->delivered;
    }
    phase.details = [](workload::Source& played) -> report::SharedJson {
        const auto& trace = static_cast<const Guarded&>(played);
        trace.rethrow();
        return std::make_shared<Json>(counts_json(trace.replay()));
    };
    job.experiment.phases.push_back(std::move(phase));
    job.experiment.device = &device.params;
    job.experiment.user_sectors = device.user_sectors;
    job.experiment.seed = general.seed.value_or(1);
    job.description = "replay of a trace";
    Json config = config::effective(params);
    config.erase("file");  // a path: run.json has it
    job.scenario_config = std::make_shared<Json>(std::move(config));
    job.scenario_file = options.trace;
    job.device_file = device.file;
    job.unused = whole.params.unused.value;
    return carry_out(std::move(job), options);
}

}  // namespace ftlab::app
