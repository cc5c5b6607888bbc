// SPDX-License-Identifier: MIT
#include "ftl/gc/closed_blocks.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "tests/support/aborts.h"

using namespace ftlab;
using namespace ftlab::ftl;
using ftlab::testing::abort_message;

namespace {

SuperblockId sb(std::uint32_t i) { return SuperblockId{i}; }

}  // namespace

TEST_CASE("the superblock with the fewest valid sectors is found as counts fall") {
    ClosedBlocks closed{4, 100};
    closed.insert(sb(0), 90);
    closed.insert(sb(1), 80);
    closed.insert(sb(2), 85);
    CHECK(closed.fewest_valid() == sb(1));

    for (int i = 0; i < 11; ++i) {
        closed.invalidate_one(sb(0));
    }

    CHECK(closed.fewest_valid() == sb(0));
    CHECK(closed.valid(sb(0)) == 79);
}

TEST_CASE("among equals the one that came to its count last goes first") {
    ClosedBlocks closed{4, 100};
    closed.insert(sb(0), 10);
    closed.insert(sb(1), 11);
    closed.insert(sb(2), 10);

    closed.invalidate_one(sb(1));

    CHECK(closed.fewest_valid() == sb(1));
}

TEST_CASE("the oldest is the one closed first, whatever was invalidated since") {
    ClosedBlocks closed{4, 100};
    closed.insert(sb(3), 10);
    closed.insert(sb(1), 20);
    closed.insert(sb(2), 30);
    closed.invalidate_one(sb(2));
    CHECK(closed.oldest() == sb(3));

    closed.remove(sb(3));
    CHECK(closed.oldest() == sb(1));
    closed.insert(sb(3), 5);
    closed.remove(sb(1));

    CHECK(closed.oldest() == sb(2));
}

TEST_CASE("there is something to gain as soon as one closed sector is invalid") {
    ClosedBlocks closed{4, 16};
    CHECK_FALSE(closed.reclaimable());
    closed.insert(sb(0), 16);
    closed.insert(sb(1), 16);
    CHECK_FALSE(closed.reclaimable());

    closed.invalidate_one(sb(1));

    CHECK(closed.reclaimable());
    closed.remove(sb(1));
    CHECK_FALSE(closed.reclaimable());
}

TEST_CASE("a superblock is closed once and only a closed one is removed") {
    CHECK_THAT(abort_message([] {
                   ClosedBlocks closed{2, 16};
                   closed.insert(sb(0), 1);
                   closed.insert(sb(0), 1);
               }),
               Catch::Contains("closed once"));
    CHECK_THAT(abort_message([] {
                   ClosedBlocks closed{2, 16};
                   closed.remove(sb(0));
               }),
               Catch::Contains("only a closed superblock"));
}

TEST_CASE("the indices agree with a search through everything, for superblocks of any size") {
    // Above 1024 sectors a bucket covers a range of counts.
    const std::uint32_t sectors = GENERATE(16U, 64U, 256U, 1023U, 1024U, 1025U, 4096U, 65536U);
    constexpr std::uint32_t kSuperblocks = 40;
    Random draw{sectors};
    ClosedBlocks closed{kSuperblocks, sectors};
    std::vector<std::uint32_t> valid(kSuperblocks);
    std::vector<std::uint32_t> by_age;  // oldest first

    for (int step = 0; step < 30'000; ++step) {
        const auto any = static_cast<std::uint32_t>(draw.below(kSuperblocks));
        const auto place = std::find(by_age.begin(), by_age.end(), any);
        if (place == by_age.end()) {
            valid[any] = static_cast<std::uint32_t>(draw.below(sectors + 1));
            closed.insert(sb(any), valid[any]);
            by_age.push_back(any);
        } else if (draw.below(40) == 0) {
            closed.remove(sb(any));
            by_age.erase(place);
        } else {
            // Few at a time or many, so that bucket edges are crossed in every way.
            const std::uint64_t most = draw.below(2) == 0 ? 3 : sectors / 8 + 1;
            const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(draw.below(most), valid[any]));
            for (std::uint32_t i = 0; i < count; ++i) {
                closed.invalidate_one(sb(any));
            }
            valid[any] -= count;
        }

        REQUIRE(closed.size() == by_age.size());
        if (!by_age.empty()) {
            const auto fewest =
                *std::min_element(by_age.begin(), by_age.end(),
                                  [&valid](std::uint32_t a, std::uint32_t b) { return valid[a] < valid[b]; });
            const SuperblockId found = closed.fewest_valid();
            REQUIRE(closed.contains(found));
            REQUIRE(closed.valid(found) == valid[fewest]);
            REQUIRE(valid[found.index()] == valid[fewest]);
            REQUIRE(closed.oldest() == sb(by_age.front()));
        }
        if (step % 100 == 0) {
            std::uint64_t total = 0;
            std::set<std::uint32_t> numbered;
            for (std::uint32_t i = 0; i < closed.size(); ++i) {
                numbered.insert(closed.at(i).value);
                total += valid[by_age[i]];
            }
            REQUIRE(numbered == std::set<std::uint32_t>(by_age.begin(), by_age.end()));
            REQUIRE(closed.total_valid() == total);
            REQUIRE(closed.reclaimable() == (total < std::uint64_t{sectors} * by_age.size()));
            closed.check_invariants();
        }
    }
}
