// SPDX-License-Identifier: MIT
//
// Random conversations with the FTL, checked at every step by an oracle that carries the data (oracle.h).
#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

#include "ftl/instant_flash.h"
#include "tests/ftl/campaign.h"

using namespace ftlab;
using namespace ftlab::testing;
using ftl::Origin;

namespace {

/// Runs campaigns drawn from the seeds [first, first + count); says which one failed.
void run_campaigns(std::uint64_t first, std::uint64_t count, std::uint64_t steps) {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Campaign::Spec spec = random_campaign(seed);
        INFO("seed " << seed << ", " << spec.drive.ftl);
        Campaign campaign{spec};
        CHECK_NOTHROW(campaign.run(steps, 997));
    }
}

Campaign::Spec small_drive() {
    Campaign::Spec spec;
    spec.drive = {.geometry = geometry_of(3, 2, 1, 16, 8), .ftl = "{write_buffer: {size: 256 KiB}}"};
    spec.hot_sectors = 30;
    return spec;
}

}  // namespace

TEST_CASE("whatever the host does and however late the flash answers, a drive holds what was written last") {
    run_campaigns(1, 1000, 6000);
}

TEST_CASE("whatever the host does and however late the flash answers, for hours", "[long]") {
    run_campaigns(1'000'000, 30'000, 30'000);
}

TEST_CASE("a campaign meets everything that can go wrong") {
    Campaign::Spec spec = small_drive();
    spec.drive.ftl = "{write_buffer: {size: 256 KiB}, gc: {trigger: {threshold: {start: 3, stop: 3}}}}";
    spec.secure_erases = 0.0002;
    Campaign campaign{spec};

    campaign.run(200'000, 10'000);

    // Else the oracle would have had nothing to see.
    const ftl::Counters& c = campaign.drive().ftl.counters();
    CHECK(campaign.commands_done() > 10'000);
    CHECK(c.host_sectors_coalesced > 1000);
    CHECK(c.rmw_sectors > 1000);
    CHECK(c.rmw_sectors_spared > 1000);
    CHECK(c.born_invalid > 100);
    CHECK(c.moves_dropped > 100);
    CHECK(c.victims > 100);
    CHECK(c.host_stops > 10);
    CHECK(c.read_from_buffer > 500);
    CHECK(c.read_unmapped > 1000);
    CHECK(c.sectors_trimmed > 1000);
    CHECK(c.erases[Origin::host] > 10);
    CHECK(c.sectors_programmed[Origin::padding] > 100);
}

TEST_CASE("the same seed gives the same counters") {
    Campaign first{small_drive()};
    Campaign second{small_drive()};

    first.run(20'000, 20'000);
    second.run(20'000, 20'000);

    const ftl::Counters difference = second.drive().ftl.counters() - first.drive().ftl.counters();
    CHECK(first.drive().ftl.counters().sectors_programmed.total() > 1000);
    CHECK(difference.sectors_programmed.total() == 0);
    CHECK(difference.reads.total() == 0);
    CHECK(first.drive().ftl.map().mapped() == second.drive().ftl.map().mapped());
}

TEST_CASE("a host that waits for the drive to rest after each write places data as bare mode does") {
    const bool collecting = GENERATE(false, true);
    const Drive::Spec spec{.geometry = geometry_of(3, 2, 2, 16, 8), .ftl = "{write_buffer: {size: 256 KiB}}"};
    class Deaf final : public FlashWatcher {
        void issued(const ftl::FlashOp& /*op*/) override {}
        void ended(const ftl::FlashOp& /*op*/) override {}
        void finished(CommandId /*command*/) override {}
    } deaf;
    Drive bare{spec};
    ftl::InstantFlash instant{bare.ftl};
    Drive timed{spec};
    // Copies go out in the order in which their reads end: with them, only an orderly flash gives the same places.
    const DelayingFlash::Params params =
        collecting ? DelayingFlash::Params{Order::issue, 1000} : DelayingFlash::Params{Order::random, 2};
    DelayingFlash flash{timed.ftl, spec.geometry.dies(), params, Random{1}, deaf};
    Random draw{7};

    for (int i = 0; i < (collecting ? 20'000 : 2'000); ++i) {
        // Likewise sectors that are completed by a read go out in the order in which their reads end.
        const std::uint64_t lba = draw.below(std::uint64_t{bare.ftl.user_sectors() - 1} * kLbasPerSector);
        const std::uint64_t first = collecting ? lba : lba / kLbasPerSector * kLbasPerSector;
        const auto count = static_cast<std::uint32_t>(collecting ? 1 + draw.below(kLbasPerSector) : kLbasPerSector);
        instant.write(first, count);
        REQUIRE(timed.ftl.write({.first = first, .count = count, .tag = CommandId{0}}, flash) ==
                ftl::Admission::accepted);
        while (flash.step()) {
        }
    }

    std::uint32_t different = 0;
    for (std::uint32_t lpn = 0; lpn < bare.ftl.user_sectors(); ++lpn) {
        different += bare.ftl.map().find(lpn) == timed.ftl.map().find(lpn) ? 0U : 1U;
    }
    CHECK(different == 0);
    CHECK((bare.ftl.counters().victims > 0) == collecting);
    CHECK(bare.ftl.counters().victims == timed.ftl.counters().victims);
    bare.ftl.check_invariants();
    timed.ftl.check_invariants();
}
