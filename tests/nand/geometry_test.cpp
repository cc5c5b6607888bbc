// SPDX-License-Identifier: MIT
#include "nand/geometry.h"

#include <set>

#include <catch2/catch.hpp>

using namespace ftlab;
using namespace ftlab::nand;
using namespace ftlab::literals;

namespace {

/// The M5M 256: 4 channels, 8 dies each, 2 planes, 1024 nominal blocks of 256 pages of 16 KiB.
constexpr Geometry kM5m256{};

Geometry read(const std::string& yaml) { return config::load_text<Geometry>(yaml); }

}  // namespace

TEST_CASE("a plane's pages, a superblock's width and the capacity follow from the counts") {
    CHECK(kM5m256.dies() == 32);
    CHECK(kM5m256.lanes() == 64);
    CHECK(kM5m256.sectors_per_page() == 4);
    CHECK(kM5m256.sectors_per_unit() == 8);
    CHECK(kM5m256.sectors_per_block() == 1024);
    CHECK(kM5m256.nominal_capacity() == 256_GiB);
    CHECK(kM5m256.physical_capacity() == Bytes{(256_GiB).count / 1024 * 1065});
}

TEST_CASE("dies that follow one another never share a channel") {
    std::set<std::uint32_t> channels;
    for (std::uint16_t die = 8; die < 12; ++die) {
        channels.insert(kM5m256.channel_of(DieId{die}));
    }
    CHECK(channels.size() == 4);
}

TEST_CASE("the data sheet's capacity is nominal: extended blocks are on top") {
    Geometry g;
    g.blocks_per_plane = 2000;

    CHECK(g.nominal_capacity() == 256_GiB);
    CHECK(g.physical_capacity() > g.nominal_capacity());
}

TEST_CASE("a geometry that no flash has is refused with the keys to change") {
    CHECK_THROWS_WITH(read("{page_size: 6 KiB}"), Catch::Contains("page_size") && Catch::Contains("multiple of 4 KiB"));
    CHECK_THROWS_WITH(read("{blocks_per_plane: 1000}"), Catch::Contains("nominal_blocks_per_plane"));
    CHECK_THROWS_WITH(read("{factory_bad: 10%}"), Catch::Contains("factory_bad") && Catch::Contains("extended"));
    CHECK_THROWS_WITH(read("{planes: 9}"), Catch::Contains("planes"));
    CHECK_THROWS_WITH(read("{channels: 0}"), Catch::Contains("channels"));
}

TEST_CASE("as many bad blocks as there are extended ones are accepted") {
    CHECK_NOTHROW(read("{blocks_per_plane: 1000, nominal_blocks_per_plane: 950, factory_bad: 5%}"));
}
