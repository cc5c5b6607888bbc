// SPDX-License-Identifier: MIT
#include "sim/base/time_series.h"

#include <array>
#include <vector>

#include <catch2/catch.hpp>

using namespace ftlab;

namespace {

using Merge = TimeSeries::Merge;

std::vector<double> column(const TimeSeries& series, std::size_t index) {
    std::vector<double> values;
    for (std::size_t i = 0; i < series.rows(); ++i) {
        values.push_back(series.row(i)[index]);
    }
    return values;
}

}  // namespace

TEST_CASE("a series below its bound keeps every sample as it was") {
    TimeSeries series{{{"a"}, {"b", Merge::last}}, 4};

    for (const double x : {1.5, 2.5, 3.5, 4.5}) {
        series.add(std::array{x, -x});
    }

    CHECK(series.samples_per_row() == 1);
    CHECK(column(series, 0) == std::vector{1.5, 2.5, 3.5, 4.5});
    CHECK(column(series, 1) == std::vector{-1.5, -2.5, -3.5, -4.5});
}

TEST_CASE("a series beyond its bound merges neighbours by the rule of each column") {
    TimeSeries series{
        {{"mean"}, {"sum", Merge::sum}, {"min", Merge::minimum}, {"max", Merge::maximum}, {"last", Merge::last}}, 4};

    for (const double x : {1.0, 3.0, 8.0, 6.0, 5.0, 7.0}) {
        series.add(std::array{x, x, x, x, x});
    }

    CHECK(series.samples_per_row() == 2);
    CHECK(column(series, 0) == std::vector{2.0, 7.0, 6.0});
    CHECK(column(series, 1) == std::vector{4.0, 14.0, 12.0});
    CHECK(column(series, 2) == std::vector{1.0, 6.0, 5.0});
    CHECK(column(series, 3) == std::vector{3.0, 8.0, 7.0});
    CHECK(column(series, 4) == std::vector{3.0, 6.0, 7.0});
}

TEST_CASE("a series never holds more rows than its bound and loses no sample of a sum") {
    TimeSeries series{{{"ios", Merge::sum}, {"mean"}}, 8};
    double total = 0;

    for (int i = 1; i <= 1001; ++i) {
        series.add(std::array{static_cast<double>(i), 4.0});
        total += i;
        REQUIRE(series.rows() <= 8);
    }
    series.finish();

    double kept = 0;
    for (const double x : column(series, 0)) {
        kept += x;
    }
    CHECK(kept == total);
    CHECK(series.samples_per_row() == 128);
    CHECK(series.rows() == 8);  // 7 * 128 + 105
    for (const double x : column(series, 1)) {
        CHECK(x == 4.0);
    }
}

TEST_CASE("the mean of a last, incomplete row is over its own samples") {
    TimeSeries series{{{"mean"}}, 2};

    for (const double x : {1.0, 1.0, 1.0, 5.0, 9.0}) {
        series.add(std::array{x});
    }
    series.finish();

    CHECK(series.samples_per_row() == 4);
    CHECK(column(series, 0) == std::vector{2.0, 9.0});
}

TEST_CASE("finishing a full series leaves it as it is") {
    TimeSeries series{{{"mean"}}, 2};
    series.add(std::array{1.0});
    series.add(std::array{2.0});

    series.finish();

    CHECK(column(series, 0) == std::vector{1.0, 2.0});
}
