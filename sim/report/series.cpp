// SPDX-License-Identifier: MIT
#include "sim/report/series.h"

#include <array>
#include <span>

namespace ftlab::report {

namespace {

constexpr std::array<std::string_view, kColumns> kNames{
    "read_iops", "write_iops", "read_MBps", "write_MBps", "waf", "free_superblocks", "buffer_used_bytes"};

// What is kept of each row.
enum Kept : std::size_t { end, span, reads, writes, read_bytes, write_bytes, programmed, received, free_, buffer };

std::vector<TimeSeries::Column> kept_columns() {
    using Merge = TimeSeries::Merge;
    return {{"end", Merge::last},         {"span", Merge::sum},       {"reads", Merge::sum},
            {"writes", Merge::sum},       {"read_bytes", Merge::sum}, {"write_bytes", Merge::sum},
            {"programmed", Merge::sum},   {"received", Merge::sum},   {"free_superblocks", Merge::last},
            {"buffer_bytes", Merge::last}};
}

constexpr double kPsPerSecond = 1e12;
constexpr double kMega = 1e6;

}  // namespace

std::string_view name_of(Column column) { return kNames[static_cast<std::size_t>(column)]; }

std::optional<Column> column_of(std::string_view name) {
    for (std::size_t i = 0; i < kColumns; ++i) {
        if (kNames[i] == name) {
            return static_cast<Column>(i);
        }
    }
    return std::nullopt;
}

std::vector<std::string_view> column_names() { return {kNames.begin(), kNames.end()}; }

Series::Series(Time origin, Time phase_begin) : begin_{to_seconds(phase_begin - origin)}, rows_{kept_columns()} {}

void Series::add(const Second& second) {
    // Counts below 2^53 and picoseconds of a second: sums in double are exact.
    const host::Sample& h = second.host;
    const auto span_ps = static_cast<double>((h.end - h.begin).count());
    elapsed_ps_ += (h.end - h.begin).count();
    const std::array<double, 10> row{static_cast<double>(elapsed_ps_) / kPsPerSecond,
                                     span_ps,
                                     static_cast<double>(h.ios[0]),
                                     static_cast<double>(h.ios[1]),
                                     static_cast<double>(h.bytes[0]),
                                     static_cast<double>(h.bytes[1]),
                                     static_cast<double>(second.sectors_programmed),
                                     static_cast<double>(second.host_sectors),
                                     static_cast<double>(second.free_superblocks),
                                     static_cast<double>(second.buffer_used_bytes)};
    rows_.add(row);
}

double Series::time(std::size_t row) const { return begin_ + time_in_phase(row); }
double Series::time_in_phase(std::size_t row) const { return rows_.row(row)[end]; }
double Series::length(std::size_t row) const { return rows_.row(row)[span] / kPsPerSecond; }

double Series::value(std::size_t row, Column column) const {
    const std::span<const double> r = rows_.row(row);
    const double seconds = r[span] / kPsPerSecond;
    switch (column) {
        case Column::read_iops:
            return r[reads] / seconds;
        case Column::write_iops:
            return r[writes] / seconds;
        case Column::read_mbps:
            return r[read_bytes] / kMega / seconds;
        case Column::write_mbps:
            return r[write_bytes] / kMega / seconds;
        case Column::waf:
            return r[received] == 0 ? 0.0 : r[programmed] / r[received];
        case Column::free_superblocks:
            return r[free_];
        case Column::buffer_used_bytes:
            return r[buffer];
    }
    return 0;
}

Series::Window Series::window(Column column, std::optional<double> from, std::optional<double> to) const {
    Window found;
    const double usual = rows() == 0 ? 0.0 : length(0);
    for (std::size_t i = 0; i < rows(); ++i) {
        const double at = time_in_phase(i);
        const bool inside = (!from || at > *from) && (!to || at <= *to);
        if (inside && (rows() == 1 || length(i) >= usual / 2)) {
            found.times.push_back(at);
            found.values.push_back(value(i, column));
        }
    }
    return found;
}

}  // namespace ftlab::report
