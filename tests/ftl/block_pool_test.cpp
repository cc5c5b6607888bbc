// SPDX-License-Identifier: MIT
#include "ftl/block_pool.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/ftl/drive.h"
#include "tests/support/aborts.h"

using namespace ftlab;
using namespace ftlab::ftl;
using namespace ftlab::testing;

namespace {

/// The first `count` sectors of a superblock are the current copies.
void validate(BlockPool& pool, SuperblockId sb, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        pool.validate(pool.ppa(sb, i), 1);
    }
}

/// Fills an open superblock with programs, as the FTL does.
void fill(BlockPool& pool, nand::Array& array, SuperblockId sb, std::uint32_t valid) {
    const std::vector<std::uint32_t> lpns(pool.unit_sectors(), 5);
    for (std::uint32_t unit = 0; unit < pool.units(); ++unit) {
        array.program(pool.address(sb, unit), lpns, unit);
        pool.add_filled(sb, pool.unit_sectors());
    }
    validate(pool, sb, valid);
    pool.close(sb);
}

void erase(BlockPool& pool, nand::Array& array, SuperblockId sb) {
    for (std::uint32_t die = 0; die < pool.dies(); ++die) {
        array.erase(pool.address(sb, die));
    }
    pool.recycle(sb);
}

nand::Geometry with_bad_blocks() {
    nand::Geometry g = geometry_of(3, 2, 2, 40, 4);
    g.blocks_per_plane = 46;
    g.factory_bad = Ratio{0.12};  // 5 of 46
    return g;
}

}  // namespace

TEST_CASE("a superblock is a good block of every plane, also where blocks are bad") {
    nand::Array array{with_bad_blocks(), RandomStreams{3}};

    BlockPool pool{array, 0};

    CHECK(pool.superblocks() == 40);  // 41 are good in each plane, 40 are nominal
    std::set<std::vector<std::uint32_t>> used;
    for (std::uint32_t i = 0; i < pool.superblocks(); ++i) {
        for (std::uint32_t die = 0; die < pool.dies(); ++die) {
            const nand::MultiPlaneAddress where = pool.address(SuperblockId{i}, die);
            CHECK(where.planes == 2);
            for (std::uint32_t plane = 0; plane < 2; ++plane) {
                CHECK_FALSE(array.is_bad(where.die, plane, where.block[plane]));
                // No two superblocks share a block.
                CHECK(used.insert({where.die.value, plane, where.block[plane]}).second);
            }
        }
    }
}

TEST_CASE("an extended block stands in for a bad one in its plane only") {
    nand::Array array{with_bad_blocks(), RandomStreams{3}};
    const BlockPool pool{array, 0};
    std::uint32_t replaced = 0;
    for (std::uint32_t i = 0; i < pool.superblocks(); ++i) {
        for (std::uint32_t die = 0; die < pool.dies(); ++die) {
            const nand::MultiPlaneAddress where = pool.address(SuperblockId{i}, die);
            for (std::uint32_t plane = 0; plane < 2; ++plane) {
                const bool bad = array.is_bad(where.die, plane, i);
                CHECK((where.block[plane] == i) != bad);
                CHECK((where.block[plane] >= 40) == bad);
                replaced += bad ? 1U : 0U;
            }
        }
    }
    CHECK(replaced > 0);
}

TEST_CASE("the plane with the fewest good blocks limits the superblocks, and held back ones come off") {
    nand::Geometry g = with_bad_blocks();
    nand::Array good{g, RandomStreams{3}};
    CHECK(BlockPool::usable(good, 0) == 40);
    CHECK(BlockPool::usable(good, 7) == 33);
    CHECK(BlockPool::usable(good, 100) == 0);

    g.factory_bad = Ratio{0.2};  // 9 of 46: 37 are left
    nand::Array poor{g, RandomStreams{3}};

    CHECK(BlockPool::usable(poor, 0) == 37);
    const BlockPool pool{poor, 0};
    CHECK(pool.superblocks() == 37);
    CHECK(pool.free_count() == 37);
}

TEST_CASE("units follow one another die by die, channels first, before the next page") {
    nand::Array array{geometry_of(3, 2, 2, 10, 4), RandomStreams{1}};

    const BlockPool pool{array, 0};

    CHECK(pool.units() == 24);
    CHECK(pool.unit_sectors() == 8);
    CHECK(pool.sectors() == 192);
    for (std::uint32_t unit = 0; unit < pool.units(); ++unit) {
        CHECK(pool.die_of_unit(unit).value == unit % 6);
        CHECK(array.geometry().channel_of(pool.die_of_unit(unit)) == unit % 3);
        CHECK(pool.page_of_unit(unit) == unit / 6);
        CHECK(pool.address(SuperblockId{4}, unit).page == unit / 6);
        CHECK(pool.address(SuperblockId{4}, unit).die.value == unit % 6);
    }
}

TEST_CASE("an address names its superblock and its place in write order") {
    nand::Array array{geometry_of(3, 1, 1, 10, 5), RandomStreams{1}};  // 60 sectors: not a power of two
    const BlockPool pool{array, 0};
    std::set<std::uint32_t> all;

    for (std::uint32_t i = 0; i < pool.superblocks(); ++i) {
        for (std::uint32_t offset = 0; offset < pool.sectors(); ++offset) {
            const Ppa ppa = pool.ppa(SuperblockId{i}, offset);
            CHECK(pool.superblock_of(ppa) == SuperblockId{i});
            CHECK(pool.offset_of(ppa) == offset);
            CHECK(all.insert(ppa.value).second);
        }
    }
}

TEST_CASE("the out-of-band data of a unit lies plane by plane") {
    nand::Array array{geometry_of(1, 2, 2, 8, 4), RandomStreams{1}};
    BlockPool pool{array, 0};
    const SuperblockId sb = pool.open();
    array.program(pool.address(sb, 1), std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}, 1);

    CHECK(pool.oob(sb, 1, 0)[0] == 0);
    CHECK(pool.oob(sb, 1, 0)[3] == 3);
    CHECK(pool.oob(sb, 1, 1)[0] == 4);
    CHECK(pool.oob(sb, 1, 1)[3] == 7);
}

TEST_CASE("superblocks are reused in the order in which they were freed") {
    nand::Array array{geometry_of(1, 1, 1, 8, 4), RandomStreams{1}};
    BlockPool pool{array, 0};
    const SuperblockId first = pool.open();
    const SuperblockId second = pool.open();
    CHECK(pool.free_count() == 6);
    for (const SuperblockId sb : {second, first}) {
        fill(pool, array, sb, 0);
        pool.take(sb);
        erase(pool, array, sb);
    }

    for (std::uint32_t i = 2; i < 8; ++i) {
        CHECK(pool.open() == SuperblockId{i});
    }
    CHECK(pool.open() == second);
    CHECK(pool.open() == first);
    CHECK(pool.free_count() == 0);
}

TEST_CASE("valid sectors are counted wherever a superblock is in its life") {
    nand::Array array{geometry_of(1, 1, 1, 8, 4), RandomStreams{1}};
    BlockPool pool{array, 0};
    const SuperblockId sb = pool.open();
    pool.add_filled(sb, 16);
    pool.validate(pool.ppa(sb, 0), 0xffff);
    pool.invalidate(pool.ppa(sb, 0));
    CHECK(pool.state(sb) == BlockPool::State::open);
    CHECK(pool.valid(sb) == 15);

    pool.close(sb);
    pool.invalidate(pool.ppa(sb, 1));
    CHECK(pool.state(sb) == BlockPool::State::closed);
    CHECK(pool.valid(sb) == 14);
    CHECK(pool.closed().fewest_valid() == sb);

    pool.take(sb);
    pool.invalidate(pool.ppa(sb, 2));
    CHECK(pool.state(sb) == BlockPool::State::victim);
    CHECK(pool.valid(sb) == 13);
    CHECK(pool.total_valid() == 13);
    CHECK(pool.closed().size() == 0);
    pool.check_invariants();
}

TEST_CASE("only an empty victim that nobody reads is recycled, and only a full superblock is closed") {
    const auto pool_with_victim = [](auto spoil) {
        nand::Array array{geometry_of(1, 1, 1, 8, 4), RandomStreams{1}};
        BlockPool pool{array, 0};
        const SuperblockId sb = pool.open();
        fill(pool, array, sb, 0);
        pool.take(sb);
        spoil(pool, sb);
        pool.recycle(sb);
    };
    CHECK(abort_message([&] { pool_with_victim([](BlockPool& /*pool*/, SuperblockId /*sb*/) {}); }).empty());
    CHECK_THAT(abort_message([&] { pool_with_victim([](BlockPool& pool, SuperblockId sb) { pool.pin(sb); }); }),
               Catch::Contains("nobody reads"));
    CHECK_THAT(
        abort_message([&] { pool_with_victim([](BlockPool& pool, SuperblockId sb) { validate(pool, sb, 1); }); }),
        Catch::Contains("empty victim"));
    CHECK_THAT(abort_message([] {
                   nand::Array array{geometry_of(1, 1, 1, 8, 4), RandomStreams{1}};
                   BlockPool pool{array, 0};
                   pool.close(pool.open());
               }),
               Catch::Contains("last program"));
}

TEST_CASE("erasing everything erases what was written and nothing else") {
    nand::Array array{geometry_of(2, 1, 2, 8, 4), RandomStreams{1}};
    BlockPool pool{array, 0};
    fill(pool, array, pool.open(), 10);
    const SuperblockId partly = pool.open();
    array.program(pool.address(partly, 0), std::vector<std::uint32_t>(8, 1), 1);  // die 0 only
    pool.add_filled(partly, 8);
    pool.open();

    CHECK(pool.erase_all() == 3);

    CHECK(pool.free_count() == 8);
    CHECK(pool.total_valid() == 0);
    CHECK(pool.total_filled() == 0);
    CHECK(array.erase_count(nand::DieId{0}, 0, 1) == 1);
    CHECK(array.erase_count(nand::DieId{1}, 0, 1) == 0);
    CHECK(array.next_page(nand::DieId{0}, 1, 0) == 0);
    pool.check_invariants();
}
