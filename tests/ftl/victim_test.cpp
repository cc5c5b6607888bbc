// SPDX-License-Identifier: MIT
#include "ftl/gc/victim.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/ftl/drive.h"

using namespace ftlab;
using namespace ftlab::ftl;
using namespace ftlab::testing;

namespace {

std::unique_ptr<VictimPolicy> policy(const std::string& yaml, std::uint64_t seed = 1) {
    return from_yaml<config::Choice<VictimPolicy>>(yaml).make(RandomStreams{seed});
}

/// 100 superblocks; superblock i has i valid sectors of 128 and was closed i-th from the end.
ClosedBlocks hundred() {
    ClosedBlocks closed{100, 128};
    for (std::uint32_t i = 100; i-- > 0;) {
        closed.insert(SuperblockId{i}, i);
    }
    return closed;
}

/// How often each superblock is chosen in `draws` choices.
std::vector<std::uint32_t> choices(const std::string& yaml, int draws) {
    ClosedBlocks closed = hundred();
    const auto victims = policy(yaml);
    std::vector<std::uint32_t> count(100);
    for (int i = 0; i < draws; ++i) {
        ++count[victims->choose(closed).index()];
    }
    return count;
}

}  // namespace

TEST_CASE("greedy takes the superblock with the fewest valid sectors") {
    ClosedBlocks closed = hundred();
    const auto victims = policy("greedy");

    CHECK(victims->choose(closed) == SuperblockId{0});

    closed.remove(SuperblockId{0});
    CHECK(victims->choose(closed) == SuperblockId{1});
}

TEST_CASE("fifo takes the superblock closed first, however full it is") {
    ClosedBlocks closed = hundred();
    const auto victims = policy("fifo");

    CHECK(victims->choose(closed) == SuperblockId{99});

    closed.remove(SuperblockId{99});
    CHECK(victims->choose(closed) == SuperblockId{98});
}

TEST_CASE("random takes every superblock equally often") {
    const std::vector<std::uint32_t> count = choices("random", 100'000);

    for (const std::uint32_t n : count) {
        CHECK(n > 840);  // 1000 expected, five standard deviations
        CHECK(n < 1160);
    }
}

TEST_CASE("the best of d draws has rank r with probability ((n - r)^d - (n - r - 1)^d) / n^d") {
    const std::uint32_t d = GENERATE(1U, 2U, 10U);
    const std::vector<std::uint32_t> count = choices("{d_choices: {d: " + std::to_string(d) + "}}", 100'000);

    for (std::uint32_t rank = 0; rank < 100; ++rank) {
        const double expected = 100'000 * (std::pow((100.0 - rank) / 100, d) - std::pow((99.0 - rank) / 100, d));
        CHECK(count[rank] > expected - 5 * std::sqrt(expected) - 1);
        CHECK(count[rank] < expected + 5 * std::sqrt(expected) + 1);
    }
}

TEST_CASE("draws with replacement work with fewer superblocks than draws") {
    ClosedBlocks closed{4, 128};
    closed.insert(SuperblockId{2}, 7);

    CHECK(policy("{d_choices: {d: 10}}")->choose(closed) == SuperblockId{2});
    CHECK(policy("random")->choose(closed) == SuperblockId{2});
}

TEST_CASE("the same seed draws the same victims") {
    const auto sequence = [](std::uint64_t seed) {
        ClosedBlocks closed = hundred();
        const auto victims = policy("random", seed);
        std::vector<std::uint32_t> drawn;
        for (int i = 0; i < 50; ++i) {
            drawn.push_back(victims->choose(closed).value);
        }
        return drawn;
    };

    CHECK(sequence(1) == sequence(1));
    CHECK(sequence(1) != sequence(2));
}

TEST_CASE("a policy that nobody wrote is refused with those that exist") {
    CHECK_THROWS_WITH(policy("gredy"), Catch::Contains("greedy"));
    CHECK_THROWS_WITH(policy("{d_choices: {d: 0}}"), Catch::Contains("d"));
}
