// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

#include "tests/ftl/manual_flash.h"
#include "tests/support/aborts.h"

using namespace ftlab;
using namespace ftlab::ftl;
using namespace ftlab::testing;

TEST_CASE("sectors leave the buffer as a full program unit and not before") {
    Bench drive;

    drive.write(0, 7);
    CHECK(drive.flash.queue.empty());
    CHECK(drive.ftl.buffer().used() == 7);

    drive.write(100, 1);
    REQUIRE(drive.flash.queue.size() == 1);
    CHECK(drive.flash.queue[0].kind == OpKind::program);
    CHECK(drive.flash.queue[0].planes == 2);
    CHECK(drive.flash.queue[0].sectors == 8);
    CHECK(drive.ftl.buffer().used() == 8);

    drive.flash.end_all();
    CHECK(drive.ftl.buffer().used() == 0);
    CHECK(drive.ftl.map().mapped() == 8);
    CHECK(drive.ftl.counters().sectors_programmed[Origin::padding] == 0);
}

TEST_CASE("data becomes the current copy when its program ends, not before") {
    Bench drive;
    drive.store(0, 8);
    const Ppa before = drive.ftl.map().find(3);

    drive.write(0, 8);
    CHECK(drive.ftl.map().find(3) == before);
    drive.flash.end(OpKind::program);

    CHECK(drive.ftl.map().find(3) != before);
}

TEST_CASE("a sector rewritten while its program is in flight is born invalid") {
    Bench drive;
    drive.write(0, 8);
    REQUIRE(drive.flash.queue.size() == 1);

    drive.write(3, 1);
    drive.flash.end(OpKind::program);

    CHECK(drive.ftl.counters().born_invalid == 1);
    CHECK(drive.ftl.map().mapped() == 7);
    CHECK_FALSE(drive.ftl.map().find(3).valid());
    CHECK(drive.ftl.in_buffer(3));
    CHECK(drive.ftl.counters().host_sectors_coalesced == 0);
}

TEST_CASE("part of a sector costs one read before its program") {
    Bench drive;
    drive.store(0, 8);

    drive.write_lbas(1, 1);
    drive.write_lbas(6, 1);  // the same sector
    CHECK(drive.flash.queue.empty());
    drive.write(8, 7);

    REQUIRE(drive.flash.queue.size() == 1);
    CHECK(drive.flash.queue[0].payer == Origin::rmw);
    CHECK(drive.flash.queue[0].sectors == 1);
    drive.flash.end(OpKind::read);
    CHECK(drive.flash.count(OpKind::program, Origin::host) == 1);
    drive.flash.end_all();
    CHECK(drive.ftl.counters().rmw_sectors == 1);
    CHECK(drive.ftl.counters().reads[Origin::rmw] == 1);
}

TEST_CASE("a sector whose parts all arrive before its program needs no read") {
    Bench drive;
    drive.store(0, 8);

    for (std::uint32_t lba = 0; lba < kLbasPerSector; ++lba) {
        drive.write_lbas(lba, 1);
    }
    drive.write(8, 7);

    CHECK(drive.flash.count(OpKind::program, Origin::host) == 1);
    CHECK(drive.ftl.counters().rmw_sectors == 0);
    CHECK(drive.ftl.counters().host_sectors_coalesced == 7);
    drive.flash.end_all();
}

TEST_CASE("part of a sector that was never written, or that is in flight, needs no read") {
    Bench drive;
    drive.write_lbas(1, 1);
    drive.write(8, 7);
    CHECK(drive.flash.count(OpKind::program, Origin::host) == 1);

    drive.write_lbas(2, 1);
    drive.write(16, 7);

    CHECK(drive.flash.count(OpKind::program, Origin::host) == 2);
    CHECK(drive.ftl.counters().rmw_sectors == 0);
    CHECK(drive.ftl.counters().rmw_sectors_spared == 2);
    drive.flash.end_all();
}

TEST_CASE("a write that finds too little room changes nothing and says why") {
    Bench drive;  // 32 slots
    drive.flash.has_room = false;
    drive.write(0, 30);

    CHECK(drive.ftl.write(sectors(100, 3), drive.flash) == Admission::buffer_full);
    CHECK(drive.ftl.room() == 2);
    CHECK_FALSE(drive.ftl.in_buffer(100));
    CHECK(drive.ftl.counters().host_sectors_received == 30);

    drive.flash.has_room = true;
    drive.ftl.resume(drive.flash);
    drive.flash.end_all();
    CHECK(drive.ftl.room() >= 26);
    CHECK(drive.ftl.write(sectors(100, 3), drive.flash) == Admission::accepted);
    drive.flash.end_all();
}

TEST_CASE("a write of at most a burst always gets in, with a buffer of one unit too") {
    const std::string size = GENERATE("32 KiB", "36 KiB", "64 KiB", "128 KiB");
    Bench drive{one_die("{write_buffer: {size: " + size + "}}")};
    CHECK(drive.ftl.burst() == drive.ftl.buffer().capacity() - 7);
    Random random{1};

    for (int i = 0; i < 2'000; ++i) {
        const auto count = static_cast<std::uint32_t>(1 + random.below(drive.ftl.burst()));
        const std::uint64_t first = random.below(drive.ftl.user_sectors() - count);
        drive.flash.end_all();

        REQUIRE(drive.ftl.write(sectors(first, count), drive.flash) == Admission::accepted);
    }
    drive.flash.end_all();
}

TEST_CASE("a write that could wait for itself is refused for good") {
    CHECK_THAT(abort_message([] {
                   Bench drive{one_die("{write_buffer: {size: 32 KiB}}")};
                   drive.flash.has_room = false;
                   drive.write(0, 8);
                   drive.ftl.write(sectors(10, 2), drive.flash);
               }),
               Catch::Contains("comes in bursts"));
}

TEST_CASE("commands beyond the end of the drive are our own mistake") {
    const auto lbas = [](const Bench& drive) { return std::uint64_t{drive.ftl.user_sectors()} * kLbasPerSector; };
    CHECK_THAT(abort_message([&] {
                   Bench drive;
                   drive.ftl.write({.first = lbas(drive) - 1, .count = 2, .tag = CommandId{0}}, drive.flash);
               }),
               Catch::Contains("lies on the drive"));
    CHECK_THAT(abort_message([&] {
                   Bench drive;
                   drive.ftl.read(lbas(drive), 1, CommandId{0}, drive.flash);
               }),
               Catch::Contains("lies on the drive"));
}

TEST_CASE("a held drive issues nothing new and forgets nothing") {
    Bench drive;
    drive.ftl.hold(true);

    drive.write(0, 16);
    CHECK(drive.flash.queue.empty());

    drive.ftl.hold(false);
    drive.ftl.resume(drive.flash);
    CHECK(drive.flash.count(OpKind::program, Origin::host) == 2);
    drive.flash.end_all();
}
