// SPDX-License-Identifier: MIT
#include <cstdint>

#include <catch2/catch.hpp>

#include "tests/ftl/manual_flash.h"

using namespace ftlab;
using namespace ftlab::ftl;
using namespace ftlab::testing;

TEST_CASE("a flush finishes after the programs of every earlier write, and not of later ones") {
    Bench drive;
    drive.write(0, 8);
    drive.write(8, 3);

    drive.ftl.flush(CommandId{1}, drive.flash);
    REQUIRE(drive.flash.count(OpKind::program, Origin::host) == 2);
    drive.write(20, 8);
    drive.flash.end(OpKind::program);
    CHECK_FALSE(drive.flash.has_finished(1));
    drive.flash.end(OpKind::program);

    CHECK(drive.flash.has_finished(1));
    CHECK(drive.ftl.buffer().used() == 8);
    CHECK(drive.ftl.counters().sectors_programmed[Origin::padding] == 5);
    drive.flash.end_all();
}

TEST_CASE("a flush with nothing to wait for finishes at once") {
    Bench drive;

    drive.ftl.flush(CommandId{1}, drive.flash);

    CHECK(drive.flash.has_finished(1));
}

TEST_CASE("a write that comes after a flush does not go out in a padded unit of its own") {
    // While a flush waited for its programs, every later write was pushed out as if the flush waited for it too.
    Bench drive;
    drive.write(0, 3);
    drive.ftl.flush(CommandId{1}, drive.flash);
    REQUIRE(drive.flash.count(OpKind::program, Origin::host) == 1);

    for (std::uint32_t i = 0; i < 7; ++i) {
        drive.write(20 + i, 1);
    }

    CHECK(drive.flash.count(OpKind::program, Origin::host) == 1);
    drive.flash.end_all();
    CHECK(drive.flash.has_finished(1));
    CHECK(drive.ftl.buffer().used() == 7);
}

TEST_CASE("a flush of partial sectors programs them together when their reads have ended") {
    // Each read that ended sent its sector out alone in a padded unit.
    Bench drive;
    drive.store(0, 8);
    for (std::uint32_t i = 0; i < 6; ++i) {
        drive.write_lbas(lbas_of(i), 1);
    }

    drive.ftl.flush(CommandId{1}, drive.flash);
    CHECK(drive.flash.count(OpKind::read, Origin::rmw) == 6);
    const std::uint64_t before = drive.ftl.counters().programs[Origin::host];
    drive.flash.end_all();

    CHECK(drive.flash.has_finished(1));
    CHECK(drive.ftl.counters().programs[Origin::host] - before == 1);
}

TEST_CASE("a FUA write finishes when the last of its sectors is programmed, in whichever bursts it came") {
    Bench drive;
    HostWrite first = sectors(0, 8, 5);
    first.fua = true;
    first.last_of_command = false;
    HostWrite second = sectors(8, 2, 5);
    second.fua = true;

    REQUIRE(drive.ftl.write(first, drive.flash) == Admission::accepted);
    drive.flash.end_all();
    CHECK_FALSE(drive.flash.has_finished(5));
    REQUIRE(drive.ftl.write(second, drive.flash) == Admission::accepted);
    CHECK_FALSE(drive.flash.has_finished(5));
    CHECK(drive.flash.count(OpKind::program, Origin::host) == 1);
    drive.flash.end_all();

    CHECK(drive.flash.finishes[5] == 1);
    CHECK(drive.ftl.map().mapped() == 10);
}

TEST_CASE("a drive is not drained while a FUA write waits for a place to be programmed") {
    Bench drive;
    drive.flash.has_room = false;
    HostWrite write = sectors(0, 1, 5);
    write.fua = true;

    REQUIRE(drive.ftl.write(write, drive.flash) == Admission::accepted);

    CHECK(drive.flash.queue.empty());
    CHECK_FALSE(drive.ftl.drained());
    drive.flash.has_room = true;
    drive.ftl.resume(drive.flash);
    drive.flash.end_all();
    CHECK(drive.ftl.drained());
}
