// SPDX-License-Identifier: MIT
#include "controller/flash/flash_controller.h"

#include <cstdint>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "sim/base/units.h"
#include "tests/controller/fresh_kernel.h"
#include "tests/ftl/drive.h"

namespace ftlab::controller {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)

/// The FTL on timed flash, and a client that looks at the FTL only when it is told to.
class FlashBench final : private FlashClient {
public:
    FlashBench() { flash.serve(*this); }

    /// What a client does that has just called the FTL itself.
    void look() {
        room = drive.ftl.room();
        blocked = drive.ftl.host_blocked();
    }

    FreshKernel kernel;
    ftlab::testing::Drive drive{
        {.geometry = ftlab::testing::geometry_of(2, 1, 2, 16, 8),
         .ftl = "{write_buffer: {size: 128 KiB}, gc: {trigger: {threshold: {start: 1, stop: 1}}}}"}};
    Scheduler scheduler{"scheduler"};
    nand::Timing timing{drive.array.geometry(), {}, {}};
    Firmware firmware{"firmware", {}};
    FlashController flash{"flash", scheduler, firmware, drive.array.geometry(), timing, {}, drive.ftl};

    std::uint32_t room = 0;
    bool blocked = false;
    std::uint32_t calls = 0;

private:
    void finished(CommandId /*command*/, const Flight* /*last*/) override {}
    void progressed() override {
        ++calls;
        look();
    }
};

TEST_CASE("whoever waits hears at once of every slot that comes free and of every change of the reason") {
    // A TRIM's slots were freed without a word, and so were those that a later unit found dropped.
    FlashBench bench;
    ftl::Ftl& ftl = bench.drive.ftl;
    Random random{5};
    const std::uint32_t user = ftl.user_sectors();
    std::uint64_t stops = 0;
    bench.look();

    for (int i = 0; i < 60'000; ++i) {
        const std::uint64_t sector = random.below(user);
        const std::uint64_t dice = random.below(20);
        if (dice < 12) {
            const std::uint64_t part = random.below(4);  // now and then part of a sector
            ftl.write({.first = sector * kLbasPerSector + (part == 0 ? 3U : 0U),
                       .count = part == 0 ? 2 : kLbasPerSector,
                       .tag = CommandId{0}},
                      bench.flash);
        } else if (dice < 14) {
            const std::uint64_t count = std::min<std::uint64_t>(1 + random.below(200), user - sector);
            ftl.trim(sector * kLbasPerSector, count * kLbasPerSector, CommandId{1}, bench.flash);
        } else if (dice == 14) {
            ftl.read(sector * kLbasPerSector, kLbasPerSector, CommandId{static_cast<std::uint32_t>(2 + i % 30)},
                     bench.flash);
        } else if (dice == 15) {
            ftl.flush(CommandId{32}, bench.flash);
        }
        bench.look();
        bench.scheduler.run(bench.scheduler.now() + Duration{static_cast<std::int64_t>(random.below(100'000'000))});

        REQUIRE(bench.room == ftl.room());
        REQUIRE(bench.blocked == ftl.host_blocked());
        stops += bench.blocked ? 1 : 0;
    }

    CHECK(bench.calls > 1'000);
    CHECK(stops > 100);
    ftl.check_invariants();
}

}  // namespace
}  // namespace ftlab::controller
