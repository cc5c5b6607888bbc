// SPDX-License-Identifier: MIT
#include "sim/base/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"

using namespace ftlab;
using namespace ftlab::literals;

namespace {

/// Durations over ten orders of magnitude, picoseconds to seconds, all magnitudes equally likely.
std::vector<Time> durations(std::size_t count, std::uint64_t seed) {
    Random random{seed};
    std::vector<Time> values;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t magnitude = std::uint64_t{1} << (random.below(34) + 7);
        values.emplace_back(static_cast<std::int64_t>(magnitude + random.below(magnitude)));
    }
    return values;
}

Histogram histogram_of(const std::vector<Time>& values) {
    Histogram histogram;
    for (const Time value : values) {
        histogram.add(value);
    }
    return histogram;
}

/// The definition: the smallest value that at least a share q of all values do not exceed.
Time nearest_rank(std::vector<Time> values, double q) {
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
    return values.at(std::max<std::size_t>(rank, 1) - 1);
}

}  // namespace

TEST_CASE("every quantile is at least the true one and within 1/64 of it, or a nanosecond") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const auto values = durations(10'007, seed);

        const Histogram histogram = histogram_of(values);

        for (const double q : {1e-9, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 1.0}) {
            const Time truth = nearest_rank(values, q);
            CAPTURE(seed, q, truth.count(), histogram.quantile(q).count());
            CHECK(histogram.quantile(q) >= truth);
            CHECK(histogram.quantile(q) - truth <= std::max(truth / 64, 1_ns));
        }
    }
}

TEST_CASE("a rank is not lost to rounding: p50 of two values is the first, just above it the second") {
    const Histogram histogram = histogram_of({1_us, 1_ms});

    CHECK(histogram.quantile(0.5) < 2_us);
    CHECK(histogram.quantile(0.500001) == 1_ms);
}

TEST_CASE("minimum, maximum and mean are exact to the picosecond") {
    const Histogram histogram = histogram_of({Time{1}, Time{2}, Time{1'000'000'000'002}});

    CHECK(histogram.count() == 3);
    CHECK(histogram.min() == 1_ps);
    CHECK(histogram.max() == Time{1'000'000'000'002});
    CHECK(histogram.mean() == Time{333'333'333'335});
}

TEST_CASE("the mean of long waits does not overflow") {
    Histogram histogram;
    for (int i = 0; i < 1000; ++i) {
        histogram.add(1'000'000_s);  // 1000 of them are a hundred times the range of Time
    }

    CHECK(histogram.mean() == 1'000'000_s);
}

TEST_CASE("a quantile never leaves the range of the values") {
    const Histogram one = histogram_of({12'345'678_ps});

    CHECK(one.quantile(1e-9) == 12'345'678_ps);
    CHECK(one.quantile(0.5) == 12'345'678_ps);
    CHECK(one.quantile(1.0) == 12'345'678_ps);
}

TEST_CASE("an empty histogram reads zero everywhere") {
    const Histogram empty;

    CHECK(empty.count() == 0);
    CHECK(empty.min() == Time{0});
    CHECK(empty.max() == Time{0});
    CHECK(empty.mean() == Time{0});
    CHECK(empty.quantile(0.99) == Time{0});
}

TEST_CASE("merging two histograms equals recording both in one") {
    const auto first = durations(1'000, 10);
    const auto second = durations(3'000, 20);
    std::vector<Time> both = first;
    both.insert(both.end(), second.begin(), second.end());

    Histogram merged = histogram_of(first);
    merged.merge(histogram_of(second));

    const Histogram expected = histogram_of(both);
    for (std::size_t i = 0; i < Histogram::kBuckets; ++i) {
        REQUIRE(merged.bucket_count(i) == expected.bucket_count(i));
    }
    CHECK(merged.count() == expected.count());
    CHECK(merged.min() == expected.min());
    CHECK(merged.max() == expected.max());
    CHECK(merged.mean() == expected.mean());
}

TEST_CASE("merging with nothing changes nothing, in either order") {
    const Histogram some = histogram_of({3_us, 5_us});

    Histogram left = some;
    left.merge(Histogram{});
    Histogram right;
    right.merge(some);

    for (const Histogram& merged : {left, right}) {
        CHECK(merged.count() == 2);
        CHECK(merged.min() == 3_us);
        CHECK(merged.max() == 5_us);
        CHECK(merged.mean() == 4_us);
    }
}

TEST_CASE("buckets tile the axis: each begins where the one before ends") {
    CHECK(Histogram::bucket_of(0) == 0);
    for (std::size_t i = 0; i + 1 < Histogram::kBuckets; ++i) {
        const std::uint64_t edge = Histogram::upper_edge(i);
        CAPTURE(i, edge);
        REQUIRE(Histogram::bucket_of(edge - 1) == i);
        REQUIRE(Histogram::bucket_of(edge) == i + 1);
    }
}

TEST_CASE("a wait beyond the last bucket is counted there, and its maximum is kept") {
    Histogram histogram;
    histogram.add(5_us);
    histogram.add(kNever);

    CHECK(histogram.bucket_count(Histogram::kBuckets - 1) == 1);
    CHECK(histogram.max() == kNever);
    CHECK(histogram.quantile(1.0) > 1'000'000_s);
}
