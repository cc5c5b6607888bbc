// SPDX-License-Identifier: MIT
// The commands that simulate nothing: check, describe, list, version.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ftlab_version.h"
#include "sim/app/commands.h"
#include "sim/base/config.h"
#include "sim/base/data_path.h"
#include "sim/base/text.h"
#include "sim/report/result_json.h"
#include "sim/report/table.h"
#include "sim/scenario/catalog.h"
#include "sim/scenario/load.h"
#include "sim/scenario/metric.h"
#include "sim/workload/replay.h"
#include "sim/workload/trace/format.h"

namespace ftlab::app {

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// The description in a YAML file; empty when there is none.
std::string description_of(const std::string& kind, const std::string& name) {
    const auto file = find_data(kind, name);
    std::vector<config::Problem> ignored;
    const auto tree = file ? config::compose_file(file->string(), {}, ignored) : std::nullopt;
    const config::Node* text = tree ? tree->find("description") : nullptr;
    return text == nullptr ? "" : text->text();
}

std::string list_data(const std::string& kind) {
    Rows rows;
    for (const std::string& name : scenario::data_names(kind)) {
        rows.push_back({name, description_of(kind, name)});
    }
    return report::table(rows, {0, 1});
}

std::string list_policies() {
    const auto catalog = scenario::builtin_catalog();
    Rows rows;
    for (const PolicyTable& table : catalog->tables()) {
        for (const PolicyInfo& policy : table.policies) {
            rows.push_back({table.question, policy.name, policy.help});
        }
    }
    return report::table(rows, {0, 1, 2});
}

std::string list_formats() {
    Rows rows;
    for (const workload::TraceFormat* format : workload::trace_formats()) {
        rows.push_back({std::string{format->name}, std::string{format->pattern}});
    }
    return report::table(rows, {0, 1});
}

/// Paths of all numbers below `json`.
void add_fields(const nlohmann::ordered_json& json, const std::string& path, std::string& text) {
    for (const auto& item : json.items()) {
        const std::string below = path.empty() ? item.key() : path + "." + item.key();
        if (item.value().is_object()) {
            add_fields(item.value(), below, text);
        } else if (item.value().is_number() || item.value().is_null()) {
            text += "  " + below + "\n";
        }
    }
}

std::string list_metrics() {
    std::string columns;
    for (const std::string_view column : report::column_names()) {
        columns += (columns.empty() ? "" : ", ") + std::string{column};
    }
    std::string text = "functions over the seconds of a timed phase; column is one of " + columns + ":\n";
    Rows rows;
    for (const scenario::MetricInfo& info : scenario::metric_functions()) {
        rows.push_back({fmt::format("  {}(column{})", info.name, info.arguments), std::string{info.help}});
    }
    text += report::table(rows, {0, 1});
    text += "\nfields of a phase's result:\n";
    add_fields(report::phase_json({}), "", text);
    text += "\nfields of the whole result (without a phase):\n";
    nlohmann::ordered_json whole = report::result_json({});
    for (const char* key : {"scenario", "device"}) {
        whole.erase(key);
    }
    add_fields(whole, "", text);
    return text;
}

std::string manual_text(const std::vector<config::ManualRow>& rows) {
    std::string text;
    for (const config::ManualRow& row : rows) {
        text += row.path + "  (" + row.type;
        text += row.default_value.empty()         ? ""
                : row.default_value == "required" ? ", required"
                                                  : ", default " + row.default_value;
        text += row.range.empty() ? "" : ", " + row.range;
        text += ")\n    " + row.help + "\n";
    }
    return text;
}

/// The rows at `topic` and below, where topic is the end of a path.
std::vector<config::ManualRow> rows_below(const std::vector<config::ManualRow>& all, const std::string& topic) {
    std::vector<config::ManualRow> found;
    std::string root;
    for (const config::ManualRow& row : all) {
        if (root.empty() && (row.path == topic || row.path.ends_with("." + topic))) {
            root = row.path;
        }
        const bool below =
            !root.empty() && (row.path == root || row.path.starts_with(root + ".") || row.path.starts_with(root + "["));
        if (below) {
            found.push_back(row);
        }
    }
    return found;
}

}  // namespace

int check(const std::vector<std::string>& files) {
    const auto catalog = scenario::builtin_catalog();
    int code = kOk;
    for (const std::string& file : files) {
        const scenario::Checked checked = scenario::check_file(file, *catalog);
        if (checked.problems.empty()) {
            print(fmt::format("{}: {}, no errors\n", file, checked.kind));
            continue;
        }
        code = kUserError;
        fmt::print(stderr, "{}\n", config::Error{checked.problems}.what());
    }
    return code;
}

int describe(const std::string& topic) {
    const auto catalog = scenario::builtin_catalog();
    const config::Context context{.catalog = catalog.get()};
    if (topic.empty()) {
        print(
            "topics: device, scenario, trace, metrics, and every key of them, for instance\n"
            "  ftlab describe gc.victim\n  ftlab describe gc.trigger.lazy\n  ftlab describe run.workload\n");
        return kOk;
    }
    if (topic == "metrics") {
        print(list_metrics());
        return kOk;
    }
    const auto of_device = config::manual<device::DeviceParams>(context);
    const auto of_scenario = config::manual<scenario::ScenarioParams>(context);
    const auto of_trace = config::manual<workload::ReplayParams>(context);
    const auto& [name, rows] = topic == "device"     ? std::pair{topic, of_device}
                               : topic == "scenario" ? std::pair{topic, of_scenario}
                               : topic == "trace"    ? std::pair{topic, of_trace}
                                                     : std::pair{topic, std::vector<config::ManualRow>{}};
    if (!rows.empty()) {
        print(manual_text(rows));
        return kOk;
    }
    for (const auto* all : {&of_device, &of_scenario, &of_trace}) {
        if (const auto found = rows_below(*all, name); !found.empty()) {
            print(manual_text(found));
            return kOk;
        }
    }
    std::vector<std::string> last_parts;
    for (const auto* all : {&of_device, &of_scenario, &of_trace}) {
        for (const config::ManualRow& row : *all) {
            last_parts.push_back(row.path);
            last_parts.push_back(row.path.substr(row.path.rfind('.') + 1));
        }
    }
    const std::vector<std::string_view> names{last_parts.begin(), last_parts.end()};
    const std::string_view meant = text::nearest(topic, names);
    fmt::print(stderr, "describe:1:1: there is no topic {}; {}\n", text::quote(topic),
               meant.empty() ? "`ftlab describe device` and `ftlab describe scenario` show all keys"
                             : "did you mean " + text::quote(meant) + "?");
    return kUserError;
}

int list(const std::string& what) {
    struct Section {
        std::string_view name;
        std::string (*text)();
    };
    static constexpr Section kSections[] = {
        {"scenarios", [] { return list_data("scenarios"); }},
        {"devices", [] { return list_data("configs/devices"); }},
        {"policies", list_policies},
        {"formats", list_formats},
        {"metrics", list_metrics},
    };
    bool found = false;
    for (const Section& section : kSections) {
        if (what == section.name) {
            print(section.text());
            found = true;
        } else if (what.empty() && section.name != "metrics") {
            print(fmt::format("{}{}:\n{}", found ? "\n" : "", section.name, section.text()));
            found = true;
        }
    }
    if (!found) {
        fmt::print(stderr,
                   "list:1:1: there is no list of {}; write one of: scenarios, devices, policies, formats, metrics\n",
                   text::quote(what));
        return kUserError;
    }
    return kOk;
}

int version() {
    print(fmt::format("ftlab {}{}\n", kVersion, revision().empty() ? "" : fmt::format(" ({})", revision())));
    return kOk;
}

}  // namespace ftlab::app
