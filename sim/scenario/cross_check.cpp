// SPDX-License-Identifier: MIT
#include "sim/scenario/cross_check.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/quantity.h"
#include "sim/base/text.h"
#include "sim/report/result_json.h"
#include "sim/scenario/metric.h"
#include "sim/scenario/plan.h"

namespace ftlab::scenario {

using config::Node;
using config::Problem;

namespace {

/// The node that `path` names, or the deepest on the way there.
const Node& nearest_node(const Node& root, std::string_view path) {
    const Node* at = &root;
    while (!path.empty()) {
        const Node* next = nullptr;
        if (path.front() == '[') {
            std::size_t index = 0;
            const std::size_t close = path.find(']');
            std::from_chars(path.data() + 1, path.data() + close, index);
            next = index < at->items().size() ? &at->items()[index] : nullptr;
            path.remove_prefix(close + 1);
        } else {
            const std::size_t end = std::min(path.find_first_of(".["), path.size());
            next = at->find(path.substr(0, end));
            path.remove_prefix(end);
        }
        if (next == nullptr) {
            return *at;
        }
        at = next;
        path.remove_prefix(!path.empty() && path.front() == '.' ? 1 : 0);
    }
    return *at;
}

class CrossCheck {
public:
    CrossCheck(const Scenario& scenario, const Node& tree, std::vector<Problem>& problems)
        : scenario_{scenario}, tree_{tree}, problems_{problems} {}

    void run() {
        if (scenario_.used() == Bytes{0}) {
            complain("unused", "leaves no LBA in use; write a smaller share");
            return;
        }
        Duration together{0};
        for (std::size_t i = 0; i < scenario_.params.phases.size(); ++i) {
            phase(i);
            const PhaseParams& p = scenario_.params.phases[i];
            const Duration duration = duration_of(p).value_or(Duration{0});
            if (duration > kLongest - together) {
                complain(fmt::format("phases[{}].{}.duration", i, p.kind()),
                         "ends later than simulated time reaches: the phases may take 2,500 h together; write less");
                break;
            }
            together += duration;
        }
        if (problems_.empty()) {
            for (std::size_t i = 0; i < scenario_.params.expect.size(); ++i) {
                expectation(i);
            }
        }
    }

private:
    /// Less than the clock's 2,562 h by more than phases without a duration take.
    static constexpr Duration kLongest{2500LL * 3600 * 1'000'000'000'000};

    void complain(const std::string& path, std::string sentence) {
        problems_.push_back({nearest_node(tree_, path).place(), path, std::move(sentence)});
    }

    /// Complaints of a workload, whose keys are below `path`.
    void complain_all(const std::string& path, const std::vector<config::Complaint>& complaints) {
        for (const config::Complaint& complaint : complaints) {
            std::string others;
            for (std::size_t k = 1; k < complaint.keys.size(); ++k) {
                others += (k == 1 ? " (together with " : ", ") + complaint.keys[k];
            }
            complain(path + "." + complaint.keys.front(), complaint.sentence + others + (others.empty() ? "" : ")"));
        }
    }

    void phase(std::size_t i) {
        const PhaseParams& p = scenario_.params.phases[i];
        const std::string path = fmt::format("phases[{}]", i);
        if (p.kinds() != 1) {
            complain(path,
                     fmt::format("has {} kinds; write one of secure_erase, fill, run, idle, trim, flush, each phase "
                                 "as an item of its own",
                                 p.kinds() == 0 ? "none of the" : "several"));
            return;
        }
        const auto first = std::find(scenario_.names.begin(), scenario_.names.end(), scenario_.names[i]);
        if (const auto at = static_cast<std::size_t>(first - scenario_.names.begin()); at != i) {
            complain(fmt::format("{}.{}.name", path, p.kind()),
                     fmt::format("{} is the name of phases[{}] already; write another", text::quote(*first), at));
        }
        const Bytes used = scenario_.used();
        if (p.fill) {
            complain_all(path + ".fill", workload::complaints(workload_of(*p.fill), used));
        }
        if (p.trim) {
            complain_all(path + ".trim.span", workload::complaints(p.trim->span, used));
        }
        if (p.run) {
            complain_all(path + ".run.workload", workload::complaints(p.run->workload, used));
            if (!p.run->duration && !p.run->ios && !p.run->bytes) {
                complain(path + ".run", "never ends; give it a duration, ios or bytes");
            } else if (p.run->mode == Mode::bare && !p.run->ios && !p.run->bytes) {
                complain(path + ".run.duration",
                         "has no meaning in bare mode, where no time passes; give ios or bytes");
            }
        }
    }

    /// The simulated time of a phase, where the scenario says so.
    static std::optional<Duration> duration_of(const PhaseParams& p) {
        return p.run ? p.run->duration : p.idle ? std::optional{p.idle->duration} : std::nullopt;
    }

    /// A field is of the whole phase or result; a part of it can only be asked of a function.
    void no_interval(const std::string& path, std::optional<Duration> from, std::optional<Duration> to) {
        for (const auto& [key, end] : {std::pair{".from", from}, std::pair{".to", to}}) {
            if (end) {
                complain(path + key,
                         "has no meaning for a field, which is of the whole; leave it out, or ask for a "
                         "function, like \"mean(write_iops)\"");
            }
        }
    }

    void metric_in_phase(const std::string& path,
                         const std::string& text,
                         const std::string& phase_name,
                         std::optional<Duration> from,
                         std::optional<Duration> to) {
        const Parsed<Metric> metric = parse_metric(text);
        if (!metric) {
            complain(path + ".metric", metric.complaint);
            return;
        }
        const auto found = std::find(scenario_.names.begin(), scenario_.names.end(), phase_name);
        if (found == scenario_.names.end()) {
            const std::vector<std::string_view> names{scenario_.names.begin(), scenario_.names.end()};
            complain(path + ".phase", phase_name.empty()
                                          ? "is missing; name the phase that the metric speaks of"
                                          : fmt::format("there is no phase {}; {}", text::quote(phase_name),
                                                        text::suggest(phase_name, names)));
            return;
        }
        const PhaseParams& p = scenario_.params.phases[static_cast<std::size_t>(found - scenario_.names.begin())];
        if (!metric.value.is_function()) {
            if (!has_field(report::phase_json({}), metric.value.field)) {
                complain(path + ".metric",
                         fmt::format("{} is neither a function nor a number in a phase's result; `ftlab "
                                     "list metrics` shows both",
                                     text::quote(text)));
            }
            no_interval(path, from, to);
            return;
        }
        if (!is_timed(p)) {
            complain(
                path + ".metric",
                fmt::format("the phase {} is bare and has no seconds; make it timed or ask for a field, like \"waf\"",
                            text::quote(phase_name)));
        }
        if (from && to && *from >= *to) {
            complain(path + ".from", fmt::format("must be before to, which is {}", exact_text(*to)));
            return;
        }
        if (const auto length = duration_of(p)) {
            for (const auto& [key, end] : {std::pair{".from", from}, std::pair{".to", to}}) {
                if (end && *end > *length) {
                    complain(path + key, fmt::format("lies beyond the phase {}, which lasts {}",
                                                     text::quote(phase_name), exact_text(*length)));
                }
            }
        }
    }

    void expectation(std::size_t i) {
        const ExpectParams& e = scenario_.params.expect[i];
        const std::string path = fmt::format("expect[{}]", i);
        const Parsed<Metric> metric = parse_metric(e.metric);
        if (metric && !metric.value.is_function() && e.phase.empty()) {
            if (!has_field(report::result_json({}), metric.value.field)) {
                complain(path + ".metric",
                         fmt::format("{} is no number of the whole result; name a phase, or a field that "
                                     "`ftlab list metrics` shows",
                                     text::quote(e.metric)));
            }
            no_interval(path, e.from, e.to);
        } else {
            metric_in_phase(path, e.metric, e.phase, e.from, e.to);
        }
        if (e.ratio_to) {
            metric_in_phase(path + ".ratio_to", e.ratio_to->metric, e.ratio_to->phase, e.ratio_to->from,
                            e.ratio_to->to);
        }
    }

    const Scenario& scenario_;
    const Node& tree_;
    std::vector<Problem>& problems_;
};

}  // namespace

std::vector<std::string> phase_names(const ScenarioParams& params) {
    std::vector<std::string> names;
    std::vector<std::string> taken;
    for (const PhaseParams& phase : params.phases) {
        taken.push_back(phase.name());
    }
    for (const PhaseParams& phase : params.phases) {
        std::string name = phase.name();
        for (int n = 1; name.empty(); ++n) {
            const std::string wanted = n == 1 ? phase.kind() : fmt::format("{}_{}", phase.kind(), n);
            if (std::find(taken.begin(), taken.end(), wanted) == taken.end()) {
                name = wanted;
                taken.push_back(name);
            }
        }
        names.push_back(std::move(name));
    }
    return names;
}

void cross_check(const Scenario& scenario, const Node& tree, std::vector<Problem>& problems) {
    CrossCheck{scenario, tree, problems}.run();
}

workload::WorkloadParams workload_of(const FillParams& fill) {
    workload::WorkloadParams workload;
    workload.pattern = fill.pattern;
    workload.block = fill.block;
    workload.span = fill.span;
    return workload;
}

}  // namespace ftlab::scenario
