// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/check.h"

namespace ftlab {

/// Samples of several numbers taken at a fixed step (a simulated second), in bounded memory: at most `max_rows` rows
/// are kept; one row more, and the resolution halves by merging neighbouring rows in pairs, as often as needed.
/// Invariants:
/// (1) every kept row covers samples_per_row() samples, a power of two; only the last one after finish() may cover
///     fewer;
/// (2) memory is at most max_rows * columns * 8 bytes (13 MB for 200,000 rows of 8 columns);
/// (3) a sum over all samples survives merging exactly when its column merges by sum and the numbers are integers.
class TimeSeries {
public:
    /// How the samples of one row become one number.
    enum class Merge : std::uint8_t { mean, sum, minimum, maximum, last };

    struct Column {
        std::string name;
        Merge merge = Merge::mean;
    };

    static constexpr std::size_t kMaxRows = 200'000;  // 55 simulated hours at full resolution

    /// `max_rows` is even.
    explicit TimeSeries(std::vector<Column> columns, std::size_t max_rows = kMaxRows)
        : columns_{std::move(columns)}, max_rows_{max_rows}, pending_(columns_.size()) {
        FTLAB_CHECK(!columns_.empty(), "a series has columns");
        FTLAB_CHECK(max_rows >= 2 && max_rows % 2 == 0, "rows are merged in pairs");
    }

    /// One number a column.  Not after finish().
    void add(std::span<const double> sample) {
        FTLAB_CHECK(sample.size() == columns_.size(), "a sample has one number for each column");
        FTLAB_CHECK(!finished_, "a finished series takes no samples");
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            pending_[c] = pending_samples_ == 0 ? sample[c] : merged(columns_[c].merge, pending_[c], sample[c]);
        }
        ++pending_samples_;
        if (pending_samples_ == samples_per_row_ && rows() == max_rows_) {
            halve();  // what is pending is half a row now
        }
        if (pending_samples_ == samples_per_row_) {
            keep_pending();
        }
    }

    /// Keeps the samples that did not yet fill a row.
    void finish() {
        if (pending_samples_ != 0) {
            if (rows() == max_rows_) {
                halve();
            }
            keep_pending();
        }
        finished_ = true;
    }

    [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
    [[nodiscard]] std::size_t rows() const { return values_.size() / columns_.size(); }
    [[nodiscard]] std::span<const double> row(std::size_t i) const {
        return std::span{values_}.subspan(i * columns_.size(), columns_.size());
    }
    [[nodiscard]] std::uint64_t samples_per_row() const { return samples_per_row_; }

private:
    /// Two numbers as one; a mean is summed up here and divided when its row is complete.
    static double merged(Merge merge, double a, double b) {
        switch (merge) {
            case Merge::mean:
            case Merge::sum:
                return a + b;
            case Merge::minimum:
                return std::min(a, b);
            case Merge::maximum:
                return std::max(a, b);
            case Merge::last:
                return b;
        }
        return b;
    }

    void keep_pending() {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const bool mean = columns_[c].merge == Merge::mean;
            values_.push_back(mean ? pending_[c] / static_cast<double>(pending_samples_) : pending_[c]);
        }
        pending_samples_ = 0;
    }

    /// Merges rows 0 and 1, 2 and 3, ...; called with an even number of complete rows.
    void halve() {
        const std::size_t width = columns_.size();
        for (std::size_t i = 0; i < values_.size() / 2; ++i) {
            const std::size_t c = i % width;
            const std::size_t first = (i / width) * 2 * width + c;
            const double both = merged(columns_[c].merge, values_[first], values_[first + width]);
            values_[i] = columns_[c].merge == Merge::mean ? both / 2 : both;
        }
        values_.resize(values_.size() / 2);
        samples_per_row_ *= 2;
    }

    std::vector<Column> columns_;
    std::size_t max_rows_;
    std::vector<double> values_;  // row by row
    std::vector<double> pending_;
    std::uint64_t pending_samples_ = 0;
    std::uint64_t samples_per_row_ = 1;
    bool finished_ = false;
};

}  // namespace ftlab
