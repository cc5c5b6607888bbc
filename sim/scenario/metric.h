// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/base/quantity.h"
#include "sim/report/series.h"

namespace ftlab::scenario {

/// What an expectation measures: a function over the seconds of a timed phase, `mean(write_iops)`, or a field of its
/// result by path, `host.write.latency_us.p99`.
struct Metric {
    std::string function;  ///< empty: a field
    report::Column column = report::Column::write_iops;
    std::vector<double> arguments;
    std::string field;

    [[nodiscard]] bool is_function() const { return !function.empty(); }
};

struct MetricInfo {
    std::string_view name;
    std::string_view arguments;  ///< after the column, for people
    std::string_view help;
};
/// All functions, for `ftlab list metrics`.
[[nodiscard]] std::vector<MetricInfo> metric_functions();

[[nodiscard]] Parsed<Metric> parse_metric(std::string_view text);

/// The value of a function over a window; nothing where the window has no row, or no row that it looks for.
[[nodiscard]] std::optional<double> evaluate(const Metric& metric, const report::Series::Window& window);

/// The number at a dotted path; nothing where there is none.
[[nodiscard]] std::optional<double> field_of(const nlohmann::ordered_json& json, std::string_view path);
/// Whether the path leads to a value that could be a number (null: not measured).
[[nodiscard]] bool has_field(const nlohmann::ordered_json& json, std::string_view path);

/// The middle of the densest cluster of values: of all values above 1% of the largest, the median of those in the
/// window [x, 1.1 x] that holds the most; of equal ones the uppermost.
[[nodiscard]] std::optional<double> upper_mode(std::vector<double> values);

}  // namespace ftlab::scenario
