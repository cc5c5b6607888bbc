// SPDX-License-Identifier: MIT
#include "sim/base/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

using namespace ftlab;

TEST_CASE("SplitMix64 draws what its reference implementation draws") {
    Random zero{0};
    CHECK(zero.next() == 0xe220a8397b1dcdafULL);
    CHECK(zero.next() == 0x6e789e6aa1b965f4ULL);
    CHECK(zero.next() == 0x06c45d188009454fULL);
    CHECK(zero.next() == 0xf88bb8a8724c81ecULL);

    Random other{1234567};
    CHECK(other.next() == 6457827717110365317ULL);
    CHECK(other.next() == 3203168211198807973ULL);
    CHECK(other.next() == 9817491932198370423ULL);
}

TEST_CASE("a named stream of a seed is the same in every release: results can be repeated") {
    // Computed apart, from the definition in the header.  A change here changes every result of every user.
    CHECK(RandomStreams{1}.stream("workload").next() == 660947858355555543ULL);
    CHECK(RandomStreams{42}.stream("gc.victim").next() == 16408446054964622583ULL);
}

TEST_CASE("a stream depends on its name and its seed, not on who asked before") {
    const RandomStreams streams{7};

    Random first = streams.stream("gc");
    (void)streams.stream("workload").next();
    Random again = streams.stream("gc");

    CHECK(first.next() == again.next());
    CHECK(streams.stream("gc").state() != streams.stream("gd").state());
    CHECK(streams.stream("gc").state() != RandomStreams{8}.stream("gc").state());
    CHECK(streams.stream("").state() != RandomStreams{8}.stream("").state());
}

TEST_CASE("streams with alike names or neighbouring seeds are uncorrelated") {
    struct Source {
        std::uint64_t seed;
        std::string_view name;
    };
    const std::array sources{Source{0, "a"}, Source{0, "b"}, Source{1, "a"}, Source{1, "b"}, Source{2, "aa"}};
    constexpr int kDraws = 4096;

    for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            Random left = RandomStreams{sources[i].seed}.stream(sources[i].name);
            Random right = RandomStreams{sources[j].seed}.stream(sources[j].name);
            int equal_bits = 0;
            for (int n = 0; n < kDraws; ++n) {
                equal_bits += std::popcount(~(left.next() ^ right.next()));
            }
            // Half of the bits agree; five standard deviations of a fair coin thrown 64 * 4096 times.
            CAPTURE(i, j);
            CHECK(std::abs(equal_bits - 32 * kDraws) < 5 * 256);
        }
    }
}

TEST_CASE("a draw below n reaches every value equally often and never n") {
    constexpr std::uint64_t kValues = 7;
    constexpr std::uint64_t kDraws = 70'000;
    Random random{99};

    std::array<std::uint64_t, kValues> seen{};
    for (std::uint64_t i = 0; i < kDraws; ++i) {
        const std::uint64_t value = random.below(kValues);
        REQUIRE(value < kValues);
        ++seen.at(value);
    }

    for (const std::uint64_t count : seen) {
        CHECK(count > 9'500);  // 10,000 expected, standard deviation 93
        CHECK(count < 10'500);
    }
    CHECK(random.below(1) == 0);
    CHECK(random.below(~std::uint64_t{0}) < ~std::uint64_t{0});
}

TEST_CASE("a uniform draw lies in [0, 1) with mean one half") {
    constexpr int kDraws = 100'000;
    Random random{3};

    double sum = 0;
    double least = 1;
    double most = 0;
    for (int i = 0; i < kDraws; ++i) {
        const double value = random.uniform();
        sum += value;
        least = std::min(least, value);
        most = std::max(most, value);
    }

    CHECK(least >= 0);
    CHECK(least < 0.001);
    CHECK(most < 1);
    CHECK(most > 0.999);
    CHECK(sum / kDraws == Approx(0.5).margin(0.005));
}
