// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sim/report/result.h"

namespace ftlab::report {

struct Point {
    double x = 0;
    double y = 0;
};

struct ChartSize {
    std::size_t columns = 72;
    std::size_t rows = 12;
};

/// A scatter of points as text, with labelled axes: braille dots, or asterisks where the terminal knows no UTF-8.  The
/// y axis is logarithmic when the largest value is more than 30 times the median of those above zero, or the 5th
/// percentile less than a thirtieth of it; values of zero lie on the lowest line.
[[nodiscard]] std::string chart(const std::vector<Point>& points, bool utf8, ChartSize size = {});

/// IOPS (reads and writes together) over the seconds of all timed phases; empty when there are fewer than 3 seconds.
[[nodiscard]] std::string iops_chart(const Result& result, bool utf8);

}  // namespace ftlab::report
