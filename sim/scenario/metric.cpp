// SPDX-License-Identifier: MIT
#include "sim/scenario/metric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"

namespace ftlab::scenario {

namespace {

using Values = std::vector<double>;
using Window = report::Series::Window;

/// Nearest rank; values not empty.
double quantile(Values values, double q) {
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

double share(const Values& values, const auto& wanted) {
    const auto hits = std::count_if(values.begin(), values.end(), wanted);
    return static_cast<double>(hits) / static_cast<double>(values.size());
}

double mean(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> first_below(const Window& window, double bound) {
    for (std::size_t i = 0; i < window.values.size(); ++i) {
        if (window.values[i] < bound) {
            return window.times[i];
        }
    }
    return std::nullopt;
}

struct Function {
    MetricInfo info;
    std::size_t least_arguments = 0;
    bool pairs = false;  ///< further arguments in pairs
    std::optional<double> (*evaluate)(const Window& window, const Values& arguments) = nullptr;
};

const std::array kFunctions{
    Function{{"mean", "", "arithmetic mean"},
             0,
             false,
             [](const Window& w, const Values&) -> std::optional<double> { return mean(w.values); }},
    Function{{"min", "", "smallest value"},
             0,
             false,
             [](const Window& w, const Values&) -> std::optional<double> {
                 return *std::min_element(w.values.begin(), w.values.end());
             }},
    Function{{"max", "", "largest value"},
             0,
             false,
             [](const Window& w, const Values&) -> std::optional<double> {
                 return *std::max_element(w.values.begin(), w.values.end());
             }},
    Function{{"swing", "", "largest less smallest value"},
             0,
             false,
             [](const Window& w, const Values&) -> std::optional<double> {
                 const auto [low, high] = std::minmax_element(w.values.begin(), w.values.end());
                 return *high - *low;
             }},
    Function{{"median", "", "50% of the seconds are not above"},
             0,
             false,
             [](const Window& w, const Values&) -> std::optional<double> { return quantile(w.values, 0.5); }},
    Function{{"p05", "", "5% of the seconds are not above"},
             0,
             false,
             [](const Window& w, const Values&) -> std::optional<double> { return quantile(w.values, 0.05); }},
    Function{{"p95", "", "95% of the seconds are not above"},
             0,
             false,
             [](const Window& w, const Values&) -> std::optional<double> { return quantile(w.values, 0.95); }},
    Function{{"cv", "", "standard deviation over mean"},
             0,
             false,
             [](const Window& w, const Values&) -> std::optional<double> {
                 const double m = mean(w.values);
                 double squares = 0;
                 for (const double v : w.values) {
                     squares += (v - m) * (v - m);
                 }
                 if (m == 0) {
                     return std::nullopt;
                 }
                 return std::sqrt(squares / static_cast<double>(w.values.size())) / m;
             }},
    Function{
        {"upper_mode", "",
         "middle of the densest cluster above zero: the median of the values in that window [x, 1.1 x] which holds "
         "the most of those above 1% of the largest"},
        0,
        false,
        [](const Window& w, const Values&) { return upper_mode(w.values); }},
    Function{{"first_below", ", bound", "when the first second below the bound ended, in seconds of the phase"},
             1,
             false,
             [](const Window& w, const Values& a) { return first_below(w, a[0]); }},
    Function{{"share_below", ", bound", "share of the seconds below the bound"},
             1,
             false,
             [](const Window& w, const Values& a) -> std::optional<double> {
                 return share(w.values, [&](double v) { return v < a[0]; });
             }},
    Function{{"share_between", ", low, high[, low, high]...", "share of the seconds within one of the ranges"},
             2,
             true,
             [](const Window& w, const Values& a) -> std::optional<double> {
                 return share(w.values, [&](double v) {
                     for (std::size_t i = 0; i + 1 < a.size(); i += 2) {
                         if (v >= a[i] && v <= a[i + 1]) {
                             return true;
                         }
                     }
                     return false;
                 });
             }},
};

const Function* find_function(std::string_view name) {
    const auto* found =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.info.name == name; });
    return found == kFunctions.end() ? nullptr : found;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = text.find_last_not_of(' ');
    return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end - begin + 1);
}

/// "a, b, c" -> a b c
std::vector<std::string_view> list_items(std::string_view text) {
    std::vector<std::string_view> items;
    while (true) {
        const std::size_t comma = text.find(',');
        items.push_back(trimmed(text.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return items;
        }
        text.remove_prefix(comma + 1);
    }
}

const nlohmann::ordered_json* walk(const nlohmann::ordered_json& json, std::string_view path) {
    const nlohmann::ordered_json* at = &json;
    while (true) {
        const std::size_t dot = path.find('.');
        const std::string key{path.substr(0, dot)};
        if (!at->is_object() || !at->contains(key)) {
            return nullptr;
        }
        at = &(*at)[key];
        if (dot == std::string_view::npos) {
            return at;
        }
        path.remove_prefix(dot + 1);
    }
}

}  // namespace

std::vector<MetricInfo> metric_functions() {
    std::vector<MetricInfo> all;
    all.reserve(kFunctions.size());
    for (const Function& function : kFunctions) {
        all.push_back(function.info);
    }
    return all;
}

Parsed<Metric> parse_metric(std::string_view text) {
    Metric metric;
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) {
        metric.field = std::string{text};
        return {std::move(metric),
                text.empty() ? "\"\" is no metric; write it like \"mean(write_iops)\" or \"waf\"" : ""};
    }
    const std::string_view name = trimmed(text.substr(0, open));
    const Function* function = find_function(name);
    if (function == nullptr) {
        std::vector<std::string_view> names;
        names.reserve(kFunctions.size());
        for (const Function& each : kFunctions) {
            names.push_back(each.info.name);
        }
        return {{}, fmt::format("{} is no function; {}", text::quote(name), text::suggest(name, names))};
    }
    if (trimmed(text).back() != ')') {
        return {{},
                fmt::format("{} does not end in \")\"; write it like \"{}(write_iops{})\"", text::quote(text), name,
                            function->info.arguments)};
    }
    const std::string_view inside = text.substr(open + 1, text.rfind(')') - open - 1);
    const std::vector<std::string_view> items = list_items(inside);
    const auto column = report::column_of(items.front());
    if (!column) {
        return {{},
                fmt::format("{} is no column of series.csv; {}", text::quote(items.front()),
                            text::suggest(items.front(), report::column_names()))};
    }
    for (std::size_t i = 1; i < items.size(); ++i) {
        const Parsed<double> number = parse_number(items[i]);
        if (!number) {
            return {{}, number.complaint};
        }
        metric.arguments.push_back(number.value);
    }
    const std::size_t count = metric.arguments.size();
    const bool fits =
        function->pairs ? count >= function->least_arguments && count % 2 == 0 : count == function->least_arguments;
    if (!fits) {
        return {{},
                fmt::format("{} has the wrong number of bounds; write it like \"{}({}{})\"", text::quote(text), name,
                            report::name_of(*column), function->info.arguments)};
    }
    metric.function = std::string{name};
    metric.column = *column;
    return {std::move(metric), ""};
}

std::optional<double> evaluate(const Metric& metric, const report::Series::Window& window) {
    const Function* function = find_function(metric.function);
    if (function == nullptr || window.values.empty()) {
        return std::nullopt;
    }
    return function->evaluate(window, metric.arguments);
}

std::optional<double> field_of(const nlohmann::ordered_json& json, std::string_view path) {
    const nlohmann::ordered_json* found = walk(json, path);
    if (found == nullptr || !found->is_number()) {
        return std::nullopt;
    }
    return found->get<double>();
}

bool has_field(const nlohmann::ordered_json& json, std::string_view path) {
    const nlohmann::ordered_json* found = walk(json, path);
    return found != nullptr && (found->is_number() || found->is_null());
}

std::optional<double> upper_mode(std::vector<double> values) {
    constexpr double kNearZero = 0.01;  // chosen: a second in which the drive stood still but for a few commands
    constexpr double kWidth = 1.1;      // chosen: clusters of per-second rates are narrower, gaps between them wider
    std::sort(values.begin(), values.end());
    const double bound = values.empty() ? 0.0 : values.back() * kNearZero;
    values.erase(values.begin(), std::upper_bound(values.begin(), values.end(), bound));
    if (values.empty()) {
        return std::nullopt;
    }
    std::size_t best_first = 0;
    std::size_t best_count = 0;
    std::size_t past = 0;
    for (std::size_t first = 0; first < values.size(); ++first) {
        while (past < values.size() && values[past] <= values[first] * kWidth) {
            ++past;
        }
        if (past - first >= best_count) {
            best_count = past - first;
            best_first = first;
        }
    }
    const std::size_t upper = best_first + best_count / 2;
    return best_count % 2 == 1 ? values[upper] : (values[upper - 1] + values[upper]) / 2;
}

}  // namespace ftlab::scenario
