// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/time_series.h"
#include "sim/base/units.h"
#include "sim/host/phase_stats.h"

namespace ftlab::report {

/// The columns of series.csv that are numbers over time.
enum class Column : std::uint8_t {
    read_iops,
    write_iops,
    read_mbps,
    write_mbps,
    waf,
    free_superblocks,
    buffer_used_bytes,
};

inline constexpr std::size_t kColumns = 7;
/// As in series.csv.
[[nodiscard]] std::string_view name_of(Column column);
[[nodiscard]] std::optional<Column> column_of(std::string_view name);
[[nodiscard]] std::vector<std::string_view> column_names();

/// The seconds of one timed phase.  Keeps counts and makes rates of them when asked, so that rows that had to be merged
/// (phases longer than TimeSeries::kMaxRows seconds) stay exact.
class Series {
public:
    /// `origin` is the beginning of the first timed phase.
    Series(Time origin, Time phase_begin);

    struct Second {
        host::Sample host;
        std::uint64_t sectors_programmed = 0;  ///< by all origins
        std::uint64_t host_sectors = 0;        ///< received from the host
        std::uint32_t free_superblocks = 0;    ///< at its end
        std::uint64_t buffer_used_bytes = 0;   ///< at its end
    };
    void add(const Second& second);
    void finish() { rows_.finish(); }

    [[nodiscard]] std::size_t rows() const { return rows_.rows(); }
    /// Seconds from the beginning of the first timed phase to the end of the row.
    [[nodiscard]] double time(std::size_t row) const;
    /// The same from the beginning of this phase.
    [[nodiscard]] double time_in_phase(std::size_t row) const;
    [[nodiscard]] double length(std::size_t row) const;
    [[nodiscard]] double value(std::size_t row, Column column) const;

    /// The values of the rows that end in (from, to], in seconds of the phase.  A row shorter than half of the others,
    /// the piece of a second at the end of a phase, says nothing about rates and is left out unless it is the only one.
    struct Window {
        std::vector<double> times;  ///< ends of the rows, in the phase
        std::vector<double> values;
    };
    [[nodiscard]] Window window(Column column, std::optional<double> from, std::optional<double> to) const;

private:
    double begin_;  ///< of the phase, in seconds from the origin
    std::int64_t elapsed_ps_ = 0;
    TimeSeries rows_;
};

}  // namespace ftlab::report
