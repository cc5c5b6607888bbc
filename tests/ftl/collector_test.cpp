// SPDX-License-Identifier: MIT
#include "ftl/gc/collector.h"

#include <cstdint>

#include <catch2/catch.hpp>

#include "tests/ftl/drive.h"
#include "tests/support/delaying_flash.h"

using namespace ftlab;
using namespace ftlab::testing;
using ftl::OpKind;
using ftl::Origin;

namespace {

/// Where the stripes of a copy loop end: a stripe's programs are those between two reads.
class StripeEnds final : public FlashWatcher {
public:
    explicit StripeEnds(std::uint32_t dies) : dies_{dies} {}

    void issued(const ftl::FlashOp& op) override {
        if (op.payer != Origin::gc || op.kind == OpKind::erase) {
            return;
        }
        if (op.kind == OpKind::read && programs_ > 0) {
            ++stripes;
            at_row_end += last_die_ + 1 == dies_ ? 1U : 0U;
            programs_ = 0;
        } else if (op.kind == OpKind::program) {
            ++programs_;
            last_die_ = op.die.index();
        }
    }
    void ended(const ftl::FlashOp& /*op*/) override {}
    void finished(CommandId /*command*/) override {}

    std::uint64_t stripes = 0;
    std::uint64_t at_row_end = 0;

private:
    std::uint32_t dies_;
    std::uint32_t programs_ = 0;
    std::size_t last_die_ = 0;
};

}  // namespace

TEST_CASE("stripes end with the rows of the GC superblock, also where the host rewrites what is being copied") {
    // Was: a stripe that lost a sector was a unit short, and all after it began and ended in the middle of a row.
    const nand::Geometry geometry = geometry_of(4, 2, 1, 32, 16);
    Drive drive{
        {.geometry = geometry,
         .ftl = "{write_buffer: {size: 64 KiB}, gc: {trigger: threshold, collector: {copy: stripe, window: 32}}}",
         .user_sectors = 12'000}};
    const RandomStreams streams{1};
    StripeEnds ends{geometry.dies()};
    DelayingFlash flash{drive.ftl, geometry.dies(), {}, streams.stream("flash"), ends};
    Random host = streams.stream("host");

    for (std::uint32_t writes = 0; writes < 200'000;) {
        const std::uint64_t lba = host.below(drive.ftl.user_sectors()) * kLbasPerSector;
        const ftl::HostWrite write{.first = lba, .count = kLbasPerSector, .tag = CommandId{}};
        writes += drive.ftl.write(write, flash) == ftl::Admission::accepted ? 1U : 0U;
        while (drive.ftl.room() == 0 && flash.step()) {
        }
    }

    CHECK(drive.ftl.counters().moves_dropped > 100);
    REQUIRE(ends.stripes > 10'000);
    CHECK(ends.at_row_end > ends.stripes * 3 / 4);
}
