// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/units.h"

namespace ftlab {

/// Log-linear histogram of durations: 64 linear steps an octave, so any quantile is within 1/64 (1.6%) of the truth;
/// minimum, maximum and mean are exact.  Fixed memory, no allocation, mergeable by addition.  Resolution 1 ns.
class Histogram {
public:
    static constexpr unsigned kStepBits = 6;
    static constexpr std::uint32_t kSteps = 1U << kStepBits;
    static constexpr unsigned kOctaves = 44;  // up to 2^50 ns, 13 days
    static constexpr std::size_t kBuckets = static_cast<std::size_t>(kOctaves + 1) * kSteps;

    void add(Time value) {
        const std::int64_t ps = std::max<std::int64_t>(value.count(), 0);
        const auto ns = static_cast<std::uint64_t>(ps) / 1000;
        ++buckets_[bucket_of(ns)];
        ++count_;
        __extension__ using Wide = unsigned __int128;
        sum_ += static_cast<Wide>(ps);
        max_ = std::max(max_, value);
        min_ = std::min(min_, value);
    }

    void merge(const Histogram& other) {
        for (std::size_t i = 0; i < kBuckets; ++i) {
            buckets_[i] += other.buckets_[i];
        }
        count_ += other.count_;
        sum_ += other.sum_;
        max_ = std::max(max_, other.max_);
        min_ = std::min(min_, other.min_);
    }

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] Time max() const { return count_ == 0 ? Time{0} : max_; }
    [[nodiscard]] Time min() const { return count_ == 0 ? Time{0} : min_; }
    /// Rounded down to the picosecond; zero when empty.
    [[nodiscard]] Time mean() const { return count_ == 0 ? Time{0} : Time{static_cast<std::int64_t>(sum_ / count_)}; }

    /// The smallest recorded level that at least a share `q` of the values do not exceed (nearest rank, upper edge of
    /// the bucket, never above the maximum).  q in (0, 1]; zero when empty.
    [[nodiscard]] Time quantile(double q) const {
        if (count_ == 0) {
            return Time{0};
        }
        const double exact = q * static_cast<double>(count_);
        auto rank = static_cast<std::uint64_t>(exact);
        rank += (static_cast<double>(rank) < exact || rank == 0) ? 1U : 0U;
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < kBuckets; ++i) {
            seen += buckets_[i];
            if (seen >= rank) {
                return std::clamp(Time{static_cast<std::int64_t>(upper_edge(i) * 1000)}, min(), max_);
            }
        }
        return max_;
    }

    [[nodiscard]] std::uint64_t bucket_count(std::size_t i) const { return buckets_[i]; }
    /// First value, in nanoseconds, above bucket i.
    [[nodiscard]] static constexpr std::uint64_t upper_edge(std::size_t i) {
        const auto octave = static_cast<unsigned>(i / kSteps);
        const std::uint64_t step = i % kSteps;
        return octave == 0 ? step + 1 : (kSteps + step + 1) << (octave - 1);
    }
    [[nodiscard]] static constexpr std::size_t bucket_of(std::uint64_t ns) {
        if (ns < kSteps) {
            return static_cast<std::size_t>(ns);
        }
        const auto octave = static_cast<unsigned>(std::bit_width(ns)) - kStepBits;
        const std::size_t i = static_cast<std::size_t>(octave) * kSteps + ((ns >> (octave - 1)) & (kSteps - 1));
        return std::min(i, kBuckets - 1);
    }

private:
    __extension__ using Sum = unsigned __int128;

    std::array<std::uint64_t, kBuckets> buckets_{};
    std::uint64_t count_ = 0;
    Sum sum_ = 0;
    Time max_{0};
    Time min_ = kNever;
};

}  // namespace ftlab
