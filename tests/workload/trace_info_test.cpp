// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdint>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "sim/workload/trace/info.h"
#include "sim/workload/trace/sector_set.h"

namespace ftlab::workload {
namespace {

using namespace std::chrono_literals;
using namespace ftlab::literals;

TraceInfo info_of(const std::vector<TraceRecord>& records, bool with_footprint = false) {
    TraceInfo info{with_footprint};
    for (const TraceRecord& record : records) {
        info.add(record);
    }
    return info;
}

TEST_CASE("the median of an even number of sizes is the upper one") {
    const TraceInfo info = info_of({{.size = 512}, {.size = 4096}, {.size = 8192}, {.size = 512}});

    CHECK(info.smallest() == 512_B);
    CHECK(info.median() == 4096_B);
    CHECK(info.largest() == 8192_B);
}

TEST_CASE("sizes are exact up to 16 MiB, the median of larger ones to a power of two") {
    SizeCounts exact;
    SizeCounts coarse;

    exact.add(16_MiB);
    coarse.add(16_MiB + 512_B);
    coarse.add(31_MiB);

    CHECK(exact.median() == 16_MiB);
    CHECK(coarse.median() == 16_MiB);
    CHECK(coarse.top(4).size() == 1);
    CHECK(coarse.top(4)[0].requests == 2);
}

TEST_CASE("the most frequent sizes come first") {
    SizeCounts sizes;
    for (const Bytes size : {4096_B, 512_B, 4096_B, 1024_B, 8192_B}) {
        sizes.add(size);
    }

    const std::vector<SizeCounts::Count> top = sizes.top(3);

    REQUIRE(top.size() == 3);
    CHECK(top[0].size == 4096_B);
    CHECK(top[0].requests == 2);
    CHECK(top[1].size == 8192_B);  // the larger of those that occur once
    CHECK(top[2].size == 1024_B);
}

TEST_CASE("the span of a trace may lie below zero as a whole") {
    const TraceInfo info = info_of({{.offset = -8192, .size = 4096}, {.offset = -16384, .size = 512}});

    CHECK(info.lowest() == -16'384);
    CHECK(info.highest() == -4096);
}

TEST_CASE("duration is from the earliest to the latest stamp, in whatever order they stand") {
    const TraceInfo info = info_of({{.stamp = 5s}, {.stamp = 9s}, {.stamp = 2s}, {.stamp = 3s}, {.stamp = 1s}});

    CHECK(info.duration() == 8s);
    CHECK(info.inversions() == 2);
}

TEST_CASE("a request is aligned when both its ends are") {
    const TraceInfo info = info_of({{.offset = 4096, .size = 4096},
                                    {.offset = 512, .size = 4096},
                                    {.offset = 4096, .size = 512},
                                    {.offset = 512, .size = 3584},
                                    {.offset = -4096, .size = 8192}});

    CHECK(info.unaligned() == 3);
}

TEST_CASE("a flush counts as a request but has neither address nor size") {
    const TraceInfo info = info_of({{.offset = 4096, .size = 4096}, {.op = Op::flush}});

    CHECK(info.requests() == 2);
    CHECK(info.of(Op::flush).requests == 1);
    CHECK(info.lowest() == 4096);
    CHECK(info.smallest() == 4096_B);
    CHECK(info.empty() == 0);
}

TEST_CASE("a write of part of a sector programs all of it, and a trim is no footprint") {
    const TraceInfo info = info_of({{.offset = 3584, .size = 1024, .op = Op::write},
                                    {.offset = 3584, .size = 1024, .op = Op::write},
                                    {.offset = 8192, .size = 512, .op = Op::read},
                                    {.offset = 65'536, .size = 65'536, .op = Op::trim}},
                                   true);

    CHECK(info.sector_writes() == 4);
    CHECK(info.written_sectors() == 2U);
    CHECK(info.touched_sectors() == 3U);
}

TEST_CASE("footprints are measured only where asked for") {
    CHECK_FALSE(info_of({{.size = 512}}).touched_sectors().has_value());
    CHECK_FALSE(info_of({{.size = 512}}).written_sectors().has_value());
}

TEST_CASE("devices are told apart") { CHECK(info_of({{.device = 1}, {.device = 7}, {.device = 1}}).devices() == 2); }

TEST_CASE("a trace without requests is all zeroes") {
    const TraceInfo info;

    CHECK(info.lowest() == 0);
    CHECK(info.highest() == 0);
    CHECK(info.median() == 0_B);
    CHECK(info.duration() == 0s);
    CHECK(to_text(info).rfind("0 requests", 0) == 0);
}

TEST_CASE("a sector set counts like a set of sectors, on both sides of zero") {
    Random random = RandomStreams{3}.stream("sectors");
    SectorSet bits;
    std::set<std::int64_t> sectors;

    for (int i = 0; i < 2000; ++i) {
        const auto first = static_cast<std::int64_t>(random.below(200'000'000)) / 512 * 512 - 100'000'000;
        const auto end = first + static_cast<std::int64_t>(random.below(i % 100 == 0 ? 40'000'000 : 20'000));
        const SectorRange range = touched_sectors(first, end);
        bits.add(range);
        for (std::int64_t sector = range.first; sector < range.end; ++sector) {
            sectors.insert(sector);
        }
    }

    CHECK(bits.size() == sectors.size());
}

TEST_CASE("bytes touch the sectors that they lie in") {
    struct Case {
        std::int64_t first;
        std::int64_t end;
        std::int64_t first_sector;
        std::int64_t end_sector;
    };
    const auto c = GENERATE(values<Case>({{0, 4096, 0, 1},
                                          {0, 4097, 0, 2},
                                          {4095, 4096, 0, 1},
                                          {-1, 1, -1, 1},
                                          {-4096, 0, -1, 0},
                                          {-4097, -4096, -2, -1},
                                          {5, 5, 0, 0}}));

    const SectorRange range = touched_sectors(c.first, c.end);

    CHECK(range.first == c.first_sector);
    CHECK(range.end == c.end_sector);
}

}  // namespace
}  // namespace ftlab::workload
