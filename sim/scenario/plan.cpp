// SPDX-License-Identifier: MIT
#include "sim/scenario/plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/cross_check.h"

namespace ftlab::scenario {

namespace {

/// A few requests that are known beforehand.
class Script final : public workload::Source {
public:
    explicit Script(std::vector<workload::Request> requests) : requests_{std::move(requests)} {}

    std::size_t fill(std::span<workload::Request> out) override {
        const std::size_t count = std::min(out.size(), requests_.size() - next_);
        std::copy_n(requests_.begin() + static_cast<std::ptrdiff_t>(next_), count, out.begin());
        next_ += count;
        return count;
    }

private:
    std::vector<workload::Request> requests_;
    std::size_t next_ = 0;
};

PhasePlan scripted(std::vector<workload::Request> requests, Mode mode) {
    PhasePlan plan;
    plan.timed = mode == Mode::timed;
    plan.queue_depth = 1;
    plan.expected_ios = requests.size();
    plan.start = [requests = std::move(requests)](const RandomStreams&) { return std::make_unique<Script>(requests); };
    return plan;
}

PhasePlan generated(const workload::WorkloadParams& workload, Bytes capacity, const std::string& name, Mode mode) {
    PhasePlan plan;
    plan.timed = mode == Mode::timed;
    plan.start = [=](const RandomStreams& random) {
        return workload::start(workload, capacity, random, "phase." + name);
    };
    return plan;
}

PhasePlan fill_plan(const FillParams& p, Bytes capacity, const std::string& name) {
    PhasePlan plan = generated(workload_of(p), capacity, name, p.mode);
    plan.queue_depth = p.queue_depth;
    plan.max_bytes = (workload::span_of(p.span, capacity).lbas * kLbaSize.count) * p.passes;
    return plan;
}

PhasePlan run_plan(const RunParams& p, Bytes capacity, const std::string& name) {
    PhasePlan plan = generated(p.workload, capacity, name, p.mode);
    plan.queue_depth = p.queue_depth;
    plan.duration = p.duration.value_or(kNever);
    plan.max_ios = p.ios.value_or(PhasePlan::kUnlimited);
    plan.max_bytes = p.bytes ? p.bytes->count : PhasePlan::kUnlimited;
    return plan;
}

PhasePlan trim_plan(const TrimParams& p, Bytes capacity) {
    std::vector<workload::Request> requests;
    const workload::Span span = workload::span_of(p.span, capacity);
    const std::uint64_t piece = kTrimPiece / kLbaSize;
    for (std::uint64_t done = 0; done < span.lbas; done += piece) {
        requests.push_back({.first = Lba{span.first.value + done},
                            .lbas = std::min(piece, span.lbas - done),
                            .op = workload::Op::trim});
    }
    return scripted(std::move(requests), p.mode);
}

}  // namespace

std::vector<PhasePlan> plan(const Scenario& scenario) {
    std::vector<PhasePlan> all;
    const Bytes capacity = scenario.used();
    for (std::size_t i = 0; i < scenario.params.phases.size(); ++i) {
        const PhaseParams& p = scenario.params.phases[i];
        const std::string& name = scenario.names[i];
        PhasePlan next;
        if (p.secure_erase) {
            next.timed = false;
        } else if (p.fill) {
            next = fill_plan(*p.fill, capacity, name);
        } else if (p.run) {
            next = run_plan(*p.run, capacity, name);
        } else if (p.idle) {
            next.duration = p.idle->duration;
        } else if (p.trim) {
            next = trim_plan(*p.trim, capacity);
        } else if (p.flush) {
            next = scripted({{.op = workload::Op::flush}}, p.flush->mode);
        }
        next.name = name;
        next.kind = p.kind();
        all.push_back(std::move(next));
    }
    return all;
}

bool is_timed(const PhaseParams& p) {
    return p.idle || (p.fill && p.fill->mode == Mode::timed) || (p.run && p.run->mode == Mode::timed) ||
           (p.trim && p.trim->mode == Mode::timed) || (p.flush && p.flush->mode == Mode::timed);
}

std::vector<std::string> make_bare(Scenario& scenario, std::uint32_t passes) {
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < scenario.params.phases.size(); ++i) {
        PhaseParams& p = scenario.params.phases[i];
        if (p.fill) {
            p.fill->mode = Mode::bare;
        }
        if (p.trim) {
            p.trim->mode = Mode::bare;
        }
        if (p.flush) {
            p.flush->mode = Mode::bare;
        }
        if (!p.run) {
            continue;
        }
        p.run->mode = Mode::bare;
        if (!p.run->ios && !p.run->bytes) {
            const workload::Span span = workload::span_of(p.run->workload.span, scenario.used());
            p.run->bytes = kLbaSize * (span.lbas * passes);
            notes.push_back(fmt::format("{}: {} its span instead of a duration (--passes)", scenario.names[i],
                                        passes == 1 ? "once" : fmt::format("{} times", passes)));
        }
        p.run->duration.reset();
    }
    return notes;
}

}  // namespace ftlab::scenario
