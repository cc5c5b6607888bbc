// SPDX-License-Identifier: MIT
#include "controller/dram/dram.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "sim/base/units.h"
#include "tests/controller/fresh_kernel.h"

namespace ftlab::controller {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)

struct DramBench {
    FreshKernel kernel;
    Dram dram{"dram", {.rate = Bandwidth{4'096'000'000}}};  // 1 us for a sector
};

TEST_CASE("transfers that ask in the order of time are first come, first served") {
    DramBench bench;

    CHECK(bench.dram.move(0_us, 10_us, 4_KiB) == 11_us);
    CHECK(bench.dram.move(0_us, 10_us, 8_KiB) == 13_us);
    CHECK(bench.dram.move(0_us, 20_us, 4_KiB) == 21_us);
    CHECK(bench.dram.busy() == 4_us);
}

TEST_CASE("a pass that is booked ahead does not delay what is through before it") {
    // Was: the port was taken up to the end of the booked pass, so that a read waited for data still on the link.
    DramBench bench;
    REQUIRE(bench.dram.move(0_us, 100_us, 4_KiB) == 101_us);

    CHECK(bench.dram.move(5_us, 5_us, 4_KiB) == 6_us);
    CHECK(bench.dram.move(5_us, 5_us, 4_KiB) == 7_us);
    CHECK(bench.dram.move(99_us, 99_us, 4_KiB) == 100_us);
    CHECK(bench.dram.move(99_us, 99_us, 4_KiB) == 102_us);  // does not fit before the booked one
}

TEST_CASE("passes never overlap and each begins when it is wanted or where another ends") {
    DramBench bench;
    Random random{1};
    struct Pass {
        Time from, begin, end;
    };
    std::vector<Pass> passes;
    Time now{0};
    for (int i = 0; i < 3000; ++i) {
        now += Duration{static_cast<std::int64_t>(random.below(4'000'000))};
        const Time from =
            now + (random.below(2) == 0 ? 0_us : Duration{static_cast<std::int64_t>(random.below(20'000'000))});
        const Bytes size = 4_KiB * (1 + random.below(4));

        const Time end = bench.dram.move(now, from, size);

        passes.push_back({from, end - transfer_time(size, Bandwidth{4'096'000'000}), end});
        REQUIRE(passes.back().begin >= from);
    }

    std::sort(passes.begin(), passes.end(), [](const Pass& a, const Pass& b) { return a.begin < b.begin; });
    for (std::size_t i = 0; i < passes.size(); ++i) {
        REQUIRE((i == 0 || passes[i].begin >= passes[i - 1].end));
        REQUIRE((passes[i].begin == passes[i].from || (i > 0 && passes[i].begin == passes[i - 1].end)));
    }
}

}  // namespace
}  // namespace ftlab::controller
