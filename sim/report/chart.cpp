// SPDX-License-Identifier: MIT
#include "sim/report/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace ftlab::report {

namespace {

constexpr std::size_t kLabel = 7;  // width of the labels of the y axis
constexpr double kLogFrom = 30;    // chosen: beyond that a linear axis squeezes the lower values into one line
constexpr std::uint32_t kBraille = 0x2800;

/// Dots in cells of `across` by `down`.
class Canvas {
public:
    Canvas(ChartSize size, bool utf8)
        : columns_{size.columns}, rows_{size.rows}, utf8_{utf8}, dots_(size.columns * size.rows) {}

    [[nodiscard]] std::size_t width() const { return columns_ * (utf8_ ? 2 : 1); }
    [[nodiscard]] std::size_t height() const { return rows_ * (utf8_ ? 4 : 1); }

    /// From the lower left corner.
    void dot(std::size_t x, std::size_t y) {
        const std::size_t from_top = height() - 1 - y;
        if (!utf8_) {
            dots_[from_top * columns_ + x] = 1;
            return;
        }
        static constexpr std::array<std::array<std::uint8_t, 2>, 4> kBits{
            {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
        dots_[from_top / 4 * columns_ + x / 2] |= kBits[from_top % 4][x % 2];
    }

    [[nodiscard]] std::string line(std::size_t row) const {
        std::string text;
        for (std::size_t c = 0; c < columns_; ++c) {
            const std::uint8_t dots = dots_[row * columns_ + c];
            if (dots == 0) {
                text += ' ';
            } else if (!utf8_) {
                text += '*';
            } else {
                const std::uint32_t code = kBraille + dots;
                text += static_cast<char>(0xe0U | (code >> 12U));
                text += static_cast<char>(0x80U | ((code >> 6U) & 0x3fU));
                text += static_cast<char>(0x80U | (code & 0x3fU));
            }
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

private:
    std::size_t columns_, rows_;
    bool utf8_;
    std::vector<std::uint8_t> dots_;
};

/// The y axis: from values to heights between 0 and 1.
struct Axis {
    bool logarithmic = false;
    double low = 0;
    double high = 1;

    [[nodiscard]] double height(double y) const {
        if (logarithmic) {
            return y <= low ? 0.0 : std::log(y / low) / std::log(high / low);
        }
        return y / high;
    }
    [[nodiscard]] double value(double height) const {
        return logarithmic ? low * std::pow(high / low, height) : high * height;
    }
};

Axis axis_for(const std::vector<Point>& points) {
    std::vector<double> above_zero;
    for (const Point& p : points) {
        if (p.y > 0) {
            above_zero.push_back(p.y);
        }
    }
    if (above_zero.empty()) {
        return {};
    }
    std::sort(above_zero.begin(), above_zero.end());
    const double high = above_zero.back();
    const double median = above_zero[above_zero.size() / 2];
    const double low = above_zero[above_zero.size() / 20];
    if (high > kLogFrom * median || high > kLogFrom * low) {
        const double floor = std::pow(10.0, std::floor(std::log10(std::max(low, high / 1e6))));
        return {.logarithmic = true, .low = floor, .high = high};
    }
    return {.logarithmic = false, .low = 0, .high = high};
}

}  // namespace

std::string chart(const std::vector<Point>& points, bool utf8, ChartSize size) {
    if (points.empty()) {
        return "";
    }
    const auto [first, last] =
        std::minmax_element(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
    const double begin = first->x;
    const double length = std::max(last->x - begin, 1e-12);
    const Axis axis = axis_for(points);
    Canvas canvas{size, utf8};
    const auto at = [](double share, std::size_t count) {
        return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(count - 1)));
    };
    for (const Point& p : points) {
        canvas.dot(at((p.x - begin) / length, canvas.width()), at(axis.height(p.y), canvas.height()));
    }
    std::string text;
    for (std::size_t row = 0; row < size.rows; ++row) {
        const bool labelled = row == 0 || row == size.rows - 1 || row % 4 == 0;
        const double height = 1.0 - static_cast<double>(row) / static_cast<double>(size.rows - 1);
        const bool zero = row == size.rows - 1;
        const std::string label = zero && axis.logarithmic ? "0" : text::people_count(axis.value(height));
        text += fmt::format("{:>{}} {}{}\n", labelled ? label : "", kLabel, utf8 ? "\u2502" : "|", canvas.line(row));
    }
    const std::string left = fmt::format("{} s", text::number(std::round(begin)));
    const std::string right = fmt::format("{} s", text::number(std::round(begin + length)));
    std::string rule;
    for (std::size_t i = 0; i < size.columns; ++i) {
        rule += utf8 ? "\u2500" : "-";
    }
    text += fmt::format("{:>{}} {}{}\n", "", kLabel, utf8 ? "\u2514" : "+", rule);
    text +=
        fmt::format("{:>{}}  {}{:>{}}\n", "", kLabel, left, right, size.columns - std::min(left.size(), size.columns));
    return text;
}

std::string iops_chart(const Result& result, bool utf8) {
    std::vector<Point> points;
    for (const PhaseResult& phase : result.phases) {
        const std::size_t rows = phase.series && phase.kind != "idle" ? phase.series->rows() : 0;
        for (std::size_t row = 0; row < rows; ++row) {
            points.push_back({phase.series->time(row), phase.series->value(row, Column::read_iops) +
                                                           phase.series->value(row, Column::write_iops)});
        }
    }
    constexpr std::size_t kWorthIt = 3;
    return points.size() < kWorthIt ? "" : "IOPS over simulated time\n" + chart(points, utf8);
}

}  // namespace ftlab::report
