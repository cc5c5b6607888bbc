// SPDX-License-Identifier: MIT
#include "nand/array.h"

#include <array>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/aborts.h"

using namespace ftlab;
using namespace ftlab::nand;
using ftlab::testing::abort_message;

namespace {

Geometry two_planes() {
    Geometry g;
    g.channels = 2;
    g.dies_per_channel = 1;
    g.planes = 2;
    g.blocks_per_plane = g.nominal_blocks_per_plane = 10;
    g.pages_per_block = 4;
    return g;
}

MultiPlaneAddress at(std::uint16_t die, std::uint16_t block, std::uint16_t page) {
    return {DieId{die}, page, 2, {block, static_cast<std::uint16_t>(block + 1)}};
}

const std::vector<std::uint32_t> kLpns{10, 11, 12, 13, 20, 21, 22, kNoLpn};

std::uint32_t bad_blocks(const Array& array, std::uint32_t lane) {
    const Geometry& g = array.geometry();
    std::uint32_t bad = 0;
    for (std::uint32_t block = 0; block < g.blocks_per_plane; ++block) {
        bad += array.is_bad(DieId{static_cast<std::uint16_t>(lane / g.planes)}, lane % g.planes, block) ? 1U : 0U;
    }
    return bad;
}

}  // namespace

TEST_CASE("a programmed page says which logical pages it holds and when it was written") {
    Array array{two_planes(), RandomStreams{1}};

    array.program(at(1, 3, 0), kLpns, 77);

    const std::uint32_t* first = array.oob(DieId{1}, 0, 3, 0);
    const std::uint32_t* second = array.oob(DieId{1}, 1, 4, 0);
    CHECK(std::vector<std::uint32_t>(first, first + 4) == std::vector<std::uint32_t>{10, 11, 12, 13});
    CHECK(std::vector<std::uint32_t>(second, second + 4) == std::vector<std::uint32_t>{20, 21, 22, kNoLpn});
    CHECK(array.sequence(DieId{1}, 3, 0) == 77);
    CHECK(array.next_page(DieId{1}, 0, 3) == 1);
    CHECK(array.next_page(DieId{1}, 1, 4) == 1);
    CHECK(array.next_page(DieId{0}, 0, 3) == 0);
}

TEST_CASE("the pages of a block are programmed in ascending order, once each") {
    const auto program = [](std::vector<std::uint16_t> pages) {
        Array array{two_planes(), RandomStreams{1}};
        for (const std::uint16_t page : pages) {
            array.program(at(0, 3, page), kLpns, 1);
        }
    };
    CHECK(abort_message([&] { program({0, 1, 2, 3}); }).empty());
    CHECK_THAT(abort_message([&] { program({1}); }), Catch::Contains("in order, once"));
    CHECK_THAT(abort_message([&] { program({0, 0}); }), Catch::Contains("in order, once"));
    CHECK_THAT(abort_message([&] { program({0, 2}); }), Catch::Contains("in order, once"));
    CHECK_THAT(abort_message([&] { program({0, 1, 2, 3, 0}); }), Catch::Contains("in order, once"));
}

TEST_CASE("an erase makes every plane's block programmable from its first page and is counted") {
    Array array{two_planes(), RandomStreams{1}};
    array.program(at(0, 3, 0), kLpns, 1);
    array.program(at(0, 3, 1), kLpns, 2);

    array.erase(at(0, 3, 0));

    CHECK(array.next_page(DieId{0}, 0, 3) == 0);
    CHECK(array.next_page(DieId{0}, 1, 4) == 0);
    CHECK(array.erase_count(DieId{0}, 0, 3) == 1);
    CHECK(array.erase_count(DieId{0}, 1, 4) == 1);
    CHECK(array.erase_count(DieId{0}, 0, 4) == 0);
    CHECK(array.erase_count(DieId{1}, 0, 3) == 0);
    array.program(at(0, 3, 0), kLpns, 3);
    CHECK(array.sequence(DieId{0}, 3, 0) == 3);
}

TEST_CASE("the factory marks the same number of blocks bad in every plane, at other places") {
    Geometry g = two_planes();
    g.blocks_per_plane = 200;
    g.nominal_blocks_per_plane = 180;
    g.factory_bad = Ratio{0.057};  // 11.4 of 200

    const Array array{g, RandomStreams{1}};

    bool all_alike = true;
    for (std::uint32_t lane = 0; lane < g.lanes(); ++lane) {
        CHECK(bad_blocks(array, lane) == 11);
        for (std::uint32_t block = 0; block < g.blocks_per_plane; ++block) {
            const DieId die{static_cast<std::uint16_t>(lane / 2)};
            all_alike &= array.is_bad(die, lane % 2, block) == array.is_bad(DieId{0}, 0, block);
        }
    }
    CHECK_FALSE(all_alike);
}

TEST_CASE("where the factory's bad blocks lie depends on the seed alone") {
    Geometry g = two_planes();
    g.blocks_per_plane = 200;
    g.nominal_blocks_per_plane = 180;
    g.factory_bad = Ratio{0.05};
    const auto places = [&g](std::uint64_t seed) {
        const Array array{g, RandomStreams{seed}};
        std::vector<bool> bad;
        for (std::uint32_t block = 0; block < g.blocks_per_plane; ++block) {
            bad.push_back(array.is_bad(DieId{0}, 0, block));
        }
        return bad;
    };

    CHECK(places(1) == places(1));
    CHECK(places(1) != places(2));
}

TEST_CASE("a bad block is neither programmed nor erased") {
    Geometry g = two_planes();
    g.blocks_per_plane = 20;
    g.factory_bad = Ratio{0.1};
    Array array{g, RandomStreams{1}};
    std::uint16_t bad = 0;
    while (!array.is_bad(DieId{0}, 0, bad)) {
        ++bad;
    }
    MultiPlaneAddress where;
    where.die = DieId{0};
    where.planes = 1;
    where.block[0] = bad;

    CHECK_THAT(abort_message([&] { array.program(where, kLpns, 1); }),
               Catch::Contains("a bad block is not programmed"));
    CHECK_THAT(abort_message([&] { array.erase(where); }), Catch::Contains("a bad block is not erased"));
}

TEST_CASE("no two pages of an array share their out-of-band data") {
    const Geometry g = two_planes();
    Array array{g, RandomStreams{1}};
    std::uint32_t next = 0;
    for (std::uint16_t die = 0; die < 2; ++die) {
        for (std::uint16_t block = 0; block < 10; ++block) {
            for (std::uint16_t page = 0; page < 4; ++page) {
                std::array<std::uint32_t, 8> lpns{};
                for (std::uint32_t& lpn : lpns) {
                    lpn = next++;
                }
                array.program({DieId{die}, page, 2, {block, block}}, lpns, next);
            }
        }
    }

    std::uint32_t expected = 0;
    for (std::uint16_t die = 0; die < 2; ++die) {
        for (std::uint16_t block = 0; block < 10; ++block) {
            for (std::uint16_t page = 0; page < 4; ++page) {
                for (std::uint32_t plane = 0; plane < 2; ++plane) {
                    for (std::uint32_t s = 0; s < 4; ++s) {
                        CHECK(array.oob(DieId{die}, plane, block, page)[s] == expected++);
                    }
                }
                CHECK(array.sequence(DieId{die}, block, page) == expected);
            }
        }
    }
}
