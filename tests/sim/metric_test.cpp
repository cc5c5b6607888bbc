// SPDX-License-Identifier: MIT
#include "sim/scenario/metric.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace ftlab::scenario {

namespace {

/// A second each, from 1 s on.
std::optional<double> value_of(const std::string& metric, const std::vector<double>& values) {
    report::Series::Window window;
    for (const double v : values) {
        window.values.push_back(v);
        window.times.push_back(static_cast<double>(window.values.size()));
    }
    const Parsed<Metric> parsed = parse_metric(metric);
    INFO(parsed.complaint);
    REQUIRE(parsed.complaint.empty());
    return evaluate(parsed.value, window);
}

}  // namespace

TEST_CASE("functions over seconds are what their names say") {
    const std::vector<double> v{4, 1, 3, 2, 90};

    CHECK(value_of("mean(write_iops)", v) == 20);
    CHECK(value_of("min(waf)", v) == 1);
    CHECK(value_of("max(waf)", v) == 90);
    CHECK(value_of("swing(read_MBps)", v) == 89);
    CHECK(value_of("median(read_iops)", v) == 3);
    CHECK(value_of("p05(read_iops)", v) == 1);
    CHECK(value_of("p95(read_iops)", v) == 90);
    CHECK(value_of("first_below(write_iops, 2)", v) == 2);
    CHECK(value_of("share_below(write_iops, 3)", v) == 0.4);
    CHECK(value_of("share_between(write_iops, 2, 3)", v) == 0.4);
    CHECK(value_of("share_between( write_iops,2,3, 50,100 )", v) == 0.6);
    CHECK(*value_of("cv(write_iops)", {1, 3}) == Approx(0.5));
}

TEST_CASE("what does not occur has no value") {
    CHECK(!value_of("first_below(write_iops, 1)", {4, 1}));
    CHECK(!value_of("mean(write_iops)", {}));
    CHECK(!value_of("upper_mode(write_iops)", {0, 0}));
}

TEST_CASE("the upper mode of a drive that stops and goes is where it goes, not the middle") {
    std::vector<double> values(30, 0.0);
    values.insert(values.end(), 10, 3.0);
    for (int i = 0; i < 50; ++i) {
        values.push_back(6900 + 4.0 * i);  // around 7000
    }
    values.insert(values.end(), {500, 2500, 4100});  // seconds in which it stopped

    CHECK(*upper_mode(values) == Approx(6998).margin(5));
}

TEST_CASE("of two equally dense clusters the upper one is the mode") {
    CHECK(*upper_mode({100, 100, 100, 500, 500, 500}) == 500);
    CHECK(*upper_mode({100, 100, 100, 100, 500, 500, 500}) == 100);
}

TEST_CASE("metrics that cannot be are refused with the way to write them") {
    CHECK(parse_metric("meen(write_iops)").complaint == "\"meen\" is no function; did you mean \"mean\"?");
    CHECK(parse_metric("mean(write_iop)").complaint ==
          "\"write_iop\" is no column of series.csv; did you mean \"write_iops\"?");
    CHECK(!parse_metric("mean(write_iops").complaint.empty());
    CHECK(!parse_metric("mean()").complaint.empty());
    CHECK(!parse_metric("mean(write_iops, 1)").complaint.empty());
    CHECK(!parse_metric("share_between(write_iops, 1, 2, 3)").complaint.empty());
    CHECK(!parse_metric("share_below(write_iops, much)").complaint.empty());
    CHECK(!parse_metric("").complaint.empty());
}

TEST_CASE("fields are found by their path") {
    const nlohmann::ordered_json json{{"a", {{"b", 2.5}, {"c", nullptr}, {"d", "text"}}}};

    CHECK(field_of(json, "a.b") == 2.5);
    CHECK(!field_of(json, "a.c"));
    CHECK(has_field(json, "a.c"));
    CHECK(!has_field(json, "a.d"));
    CHECK(!has_field(json, "a.x"));
    CHECK(!has_field(json, "a"));
}

}  // namespace ftlab::scenario
