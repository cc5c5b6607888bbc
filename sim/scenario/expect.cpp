// SPDX-License-Identifier: MIT
#include "sim/scenario/expect.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/quantity.h"
#include "sim/report/result_json.h"
#include "sim/scenario/metric.h"

namespace ftlab::scenario {

namespace {

std::optional<double> in_seconds(const std::optional<Duration>& time) {
    return time ? std::optional{to_seconds(*time)} : std::nullopt;
}

struct Measured {
    std::optional<double> value;
    std::string problem;
};

Measured measure(const std::string& text,
                 const std::string& phase_name,
                 const std::optional<Duration>& from,
                 const std::optional<Duration>& to,
                 const report::Result& result) {
    const Metric metric = parse_metric(text).value;  // checked when the scenario was loaded
    const auto phase = std::find_if(result.phases.begin(), result.phases.end(),
                                    [&](const report::PhaseResult& p) { return p.name == phase_name; });
    if (!metric.is_function()) {
        const auto value = phase_name.empty()             ? field_of(report::result_json(result), metric.field)
                           : phase == result.phases.end() ? std::nullopt
                                                          : field_of(report::phase_json(*phase), metric.field);
        return {value, value ? "" : "was not measured"};
    }
    if (phase == result.phases.end() || !phase->series) {
        return {std::nullopt, "the phase has no seconds"};
    }
    const report::Series::Window window = phase->series->window(metric.column, in_seconds(from), in_seconds(to));
    if (window.values.empty()) {
        return {std::nullopt, "the phase ended before the window began"};
    }
    const std::optional<double> value = evaluate(metric, window);
    return {value, value ? "" : "no second is like that"};
}

std::string window_text(const std::optional<Duration>& from, const std::optional<Duration>& to) {
    if (!from && !to) {
        return "";
    }
    return fmt::format(" {}..{}", from ? exact_text(*from) : "0 s", to ? exact_text(*to) : "end");
}

}  // namespace

std::vector<report::Verdict> evaluate(const std::vector<ExpectParams>& expect, const report::Result& result) {
    std::vector<report::Verdict> verdicts;
    for (const ExpectParams& e : expect) {
        report::Verdict v{.metric = e.metric + window_text(e.from, e.to),
                          .phase = e.phase,
                          .target = e.target,
                          .value = std::nullopt,
                          .min = e.min,
                          .max = e.max,
                          .problem = "",
                          .ok = false};
        Measured found = measure(e.metric, e.phase, e.from, e.to, result);
        if (e.ratio_to && found.value) {
            const RatioParams& r = *e.ratio_to;
            v.metric += fmt::format(" / {}{} of {}", r.metric, window_text(r.from, r.to), r.phase);
            Measured below = measure(r.metric, r.phase, r.from, r.to, result);
            if (!below.value || *below.value == 0) {
                found = {std::nullopt, below.value ? "the divisor is 0" : "the divisor: " + below.problem};
            } else {
                found.value = *found.value / *below.value;
            }
        }
        v.value = found.value;
        v.problem = found.problem;
        v.ok = v.value && (!v.min || *v.value >= *v.min) && (!v.max || *v.value <= *v.max);
        verdicts.push_back(std::move(v));
    }
    return verdicts;
}

}  // namespace ftlab::scenario
