// SPDX-License-Identifier: MIT
#include <cstdint>

#include <catch2/catch.hpp>

#include "tests/ftl/manual_flash.h"

using namespace ftlab;
using namespace ftlab::ftl;
using namespace ftlab::testing;

TEST_CASE("a TRIM of data that waits to be programmed does not stall what waits behind it") {
    // The place of the dropped sector in its unit stayed empty, and the unit was not looked at again.
    Bench drive;
    drive.flash.has_room = false;
    drive.write(0, 8);
    drive.write(8, 1);
    drive.flash.has_room = true;

    drive.ftl.trim(0, kLbasPerSector, CommandId{1}, drive.flash);

    CHECK(drive.flash.count(OpKind::program, Origin::host) == 1);
    drive.flash.end_all();
    CHECK(drive.ftl.buffer().used() == 0);
}

TEST_CASE("a sector trimmed while its program is in flight does not come back") {
    Bench drive;
    drive.write(0, 8);

    drive.ftl.trim(lbas_of(3), kLbasPerSector, CommandId{1}, drive.flash);
    drive.flash.end(OpKind::program);

    CHECK(drive.flash.has_finished(1));
    CHECK_FALSE(drive.ftl.map().find(3).valid());
    CHECK_FALSE(drive.ftl.in_buffer(3));
    CHECK(drive.ftl.map().mapped() == 7);
}

TEST_CASE("TRIM forgets whole sectors only") {
    Bench drive;
    drive.store(0, 8);

    drive.ftl.trim(4, lbas_of(3), CommandId{1}, drive.flash);  // half of 0, 1, 2, half of 3
    drive.ftl.trim(lbas_of(5) + 1, 6, CommandId{2}, drive.flash);

    CHECK(drive.flash.has_finished(1));
    CHECK(drive.flash.has_finished(2));
    CHECK(drive.ftl.map().mapped() == 6);
    CHECK(drive.ftl.map().find(0).valid());
    CHECK_FALSE(drive.ftl.map().find(1).valid());
    CHECK_FALSE(drive.ftl.map().find(2).valid());
    CHECK(drive.ftl.map().find(3).valid());
    CHECK(drive.ftl.map().find(5).valid());
    CHECK(drive.ftl.counters().sectors_trimmed == 2);
}

TEST_CASE("a trimmed sector is not copied by GC") {
    Bench drive;
    const std::uint32_t user = drive.ftl.user_sectors();
    for (std::uint32_t i = 0; i < user; ++i) {
        drive.write(i, 1);
        drive.flash.end_all();
    }
    drive.ftl.trim(0, std::uint64_t{user} * kLbasPerSector, CommandId{1}, drive.flash);
    drive.flash.end_all();

    for (std::uint32_t i = 0; i < user; ++i) {
        drive.write(i, 1);
        drive.flash.end_all();
    }

    CHECK(drive.ftl.counters().victims > 10);
    CHECK(drive.ftl.counters().sectors_programmed[Origin::gc] == 0);
}

TEST_CASE("a read of trimmed, unwritten or buffered sectors needs no flash") {
    Bench drive;
    drive.store(0, 8);
    drive.ftl.trim(0, lbas_of(2), CommandId{1}, drive.flash);
    drive.write(2, 1);

    drive.ftl.read(0, 3 * kLbasPerSector, CommandId{2}, drive.flash);
    drive.ftl.read(lbas_of(100), 1, CommandId{3}, drive.flash);

    CHECK(drive.flash.queue.empty());
    CHECK(drive.flash.has_finished(2));
    CHECK(drive.flash.has_finished(3));
    CHECK(drive.ftl.counters().read_from_buffer == 1);
    CHECK(drive.ftl.counters().read_unmapped == 3);
}

TEST_CASE("sectors that lie in one unit are read by one operation, with the planes that hold them") {
    Bench drive;
    drive.store(0, 16);

    drive.ftl.read(lbas_of(2), 2 * kLbasPerSector, CommandId{1}, drive.flash);
    drive.ftl.read(lbas_of(3), 2 * kLbasPerSector, CommandId{2}, drive.flash);
    drive.ftl.read(lbas_of(6), 4 * kLbasPerSector, CommandId{3}, drive.flash);

    REQUIRE(drive.flash.queue.size() == 4);
    CHECK((drive.flash.queue[0].sectors == 2 && drive.flash.queue[0].planes == 1));
    CHECK((drive.flash.queue[1].sectors == 2 && drive.flash.queue[1].planes == 2));  // 4 sectors a plane
    CHECK((drive.flash.queue[2].sectors == 2 && drive.flash.queue[2].page == 0));
    CHECK((drive.flash.queue[3].sectors == 2 && drive.flash.queue[3].page == 1));
    drive.flash.end(OpKind::read);
    drive.flash.end(OpKind::read);
    drive.flash.end(OpKind::read);
    CHECK(drive.flash.has_finished(1));
    CHECK(drive.flash.has_finished(2));
    CHECK_FALSE(drive.flash.has_finished(3));  // its second unit is still under way
    drive.flash.end(OpKind::read);
    CHECK(drive.flash.finishes[3] == 1);
}

TEST_CASE("a secure erase brings back the state of delivery") {
    Bench drive;
    drive.store(0, drive.ftl.user_sectors());
    for (std::uint32_t i = 0; i < 500; ++i) {
        drive.write((i * 37) % drive.ftl.user_sectors(), 1);
        drive.flash.end_all();
    }
    drive.write(3, 3);  // stays in the buffer

    drive.ftl.secure_erase();

    CHECK(drive.ftl.buffer().used() == 0);
    CHECK(drive.ftl.map().mapped() == 0);
    CHECK(drive.ftl.pool().free_count() == drive.ftl.pool().superblocks());
    CHECK(drive.ftl.counters().erases[Origin::host] > 20);
    drive.ftl.check_invariants();
    const std::uint64_t victims = drive.ftl.counters().victims;
    for (std::uint32_t i = 0; i < drive.ftl.user_sectors(); ++i) {
        drive.write(i, 1);
        drive.flash.end_all();
    }
    CHECK(drive.ftl.counters().victims == victims);  // as on a fresh drive
}
