// SPDX-License-Identifier: MIT
//
// What a drive collects while the host is silent.
#include <cstdint>

#include <catch2/catch.hpp>

#include "ftl/instant_flash.h"
#include "tests/ftl/manual_flash.h"

using namespace ftlab;
using namespace ftlab::ftl;
using namespace ftlab::testing;
using namespace ftlab::literals;

TEST_CASE("idle collection ends where its target is out of reach") {
    // It padded the last unit of its victims and then collected the padding, for ever.
    Drive drive{one_die("{write_buffer: {size: 128 KiB}, gc: {trigger: {lazy: {idle_surplus: 1000}}}}")};
    InstantFlash flash{drive.ftl};
    Random random{1};
    for (int i = 0; i < 5'000; ++i) {
        flash.write(random.below(drive.ftl.user_sectors()) * kLbasPerSector, kLbasPerSector);
    }

    flash.offer({.now = 0_s, .idle_for = 100_s, .waiting_commands = 0});

    CHECK(drive.ftl.pool().free_count() >= 4);
    drive.ftl.check_invariants();
}

TEST_CASE("idle collection begins after the silence it waits for and stops when the host is back") {
    Bench drive{
        one_die("{write_buffer: {size: 128 KiB}, gc: {trigger: {lazy: {start_after_used: 100, mark_min: 1, "
                "mark_max: 1, idle_after: 2 s, idle_surplus: 10}}}}")};
    const std::uint32_t user = drive.ftl.user_sectors();
    drive.store(0, user);
    for (std::uint32_t i = 0; i < 64; ++i) {
        drive.write(i * 5 % user, 1);
        drive.flash.end_all();
    }
    REQUIRE(drive.flash.queue.empty());
    REQUIRE_FALSE(drive.ftl.collecting());

    CHECK(drive.ftl.offer({.now = 0_s, .idle_for = 500_ms}, drive.flash) == 1500_ms);
    CHECK(drive.flash.queue.empty());

    CHECK(drive.ftl.offer({.now = 0_s, .idle_for = 2_s}, drive.flash) == std::nullopt);
    CHECK(drive.flash.count(OpKind::read, Origin::gc) > 0);
    CHECK(drive.ftl.collecting());

    drive.ftl.offer({.now = 0_s, .idle_for = 0_s, .waiting_commands = 1}, drive.flash);
    CHECK_FALSE(drive.ftl.collecting());
    drive.flash.end_all();
}

TEST_CASE("idle collection leaves a superblock alone that frees less than it must, and takes it from there on") {
    // A drive that was filled and hardly written copied nearly full superblocks in every pause.
    Bench drive{
        one_die("{write_buffer: {size: 128 KiB}, gc: {trigger: {lazy: {start_after_used: 100, mark_min: 1, "
                "mark_max: 1, idle_surplus: 10, idle_least_gain: 25%}}}}")};
    drive.store(0, drive.ftl.user_sectors());
    const SuperblockId first = drive.ftl.pool().superblock_of(drive.ftl.map().find(63));
    drive.store(0, 15);
    REQUIRE(drive.ftl.pool().valid(first) == 49);

    drive.ftl.offer({.now = 0_s, .idle_for = 100_s}, drive.flash);
    CHECK(drive.flash.queue.empty());
    drive.ftl.offer({.now = 0_s, .idle_for = 0_s, .waiting_commands = 1}, drive.flash);
    drive.store(15, 1);
    drive.ftl.offer({.now = 0_s, .idle_for = 100_s}, drive.flash);
    drive.flash.end_all();

    CHECK(drive.ftl.counters().victims == 1);  // no other frees anything
    CHECK(drive.ftl.counters().victim_valid_sectors == 48);
    CHECK(drive.ftl.counters().sectors_programmed[Origin::gc] == 48);
}

TEST_CASE("a pause in which nothing was worth collecting does not buy back the fast stage") {
    Bench drive{
        one_die("{write_buffer: {size: 128 KiB}, gc: {trigger: {lazy: {start_after_used: 13, mark_min: 1, "
                "mark_max: 40, idle_surplus: 10, idle_least_gain: 25%}}}}")};
    drive.store(0, drive.ftl.user_sectors());
    drive.store(0, 8);
    REQUIRE(drive.ftl.collecting());  // below its mark
    const std::uint64_t copied = drive.ftl.counters().sectors_programmed[Origin::gc];

    drive.ftl.offer({.now = 0_s, .idle_for = 100_s}, drive.flash);
    drive.flash.end_all();
    drive.ftl.offer({.now = 100_s, .idle_for = 0_s, .waiting_commands = 1}, drive.flash);

    CHECK(drive.ftl.collecting());
    CHECK(drive.ftl.counters().sectors_programmed[Origin::gc] == copied);
}

TEST_CASE("what the host pays for is collected at any gain, also where nobody has said that it is back") {
    const std::string mark = GENERATE("1", "40");
    Drive drive{one_die("{write_buffer: {size: 128 KiB}, gc: {trigger: {lazy: {mark_min: 1, mark_max: " + mark +
                        ", idle_least_gain: 100%}}}}")};
    InstantFlash flash{drive.ftl};
    Random random{1};
    flash.write(0, std::uint64_t{drive.ftl.user_sectors()} * kLbasPerSector);

    flash.offer({.now = 0_s, .idle_for = 100_s});
    for (int i = 0; i < 20'000; ++i) {
        flash.write(random.below(drive.ftl.user_sectors()) * kLbasPerSector, kLbasPerSector);
    }

    CHECK(drive.ftl.counters().victims > 300);
    drive.ftl.check_invariants();
}
