// SPDX-License-Identifier: MIT
#include <filesystem>

#include <catch2/catch.hpp>

#include "sim/report/chart.h"
#include "sim/report/output_folder.h"
#include "sim/report/progress_line.h"
#include "sim/report/series.h"
#include "sim/report/table.h"
#include "tests/base/scratch_folder.h"

namespace ftlab::report {

using namespace literals;

namespace {

Series::Second second(Time begin, Time end, std::uint64_t writes) {
    Series::Second s;
    s.host.begin = begin;
    s.host.end = end;
    s.host.ios[1] = writes;
    s.host.bytes[1] = writes * 4096;
    s.sectors_programmed = 3 * writes;
    s.host_sectors = writes;
    s.free_superblocks = 7;
    return s;
}

}  // namespace

TEST_CASE("a series gives rates of its counts, also of a piece of a second") {
    Series series{1_s, 11_s};
    series.add(second(11_s, 12_s, 500));
    series.add(second(12_s, 12_s + 250_ms, 500));
    series.finish();

    CHECK(series.value(0, Column::write_iops) == 500);
    CHECK(series.value(1, Column::write_iops) == 2000);
    CHECK(series.value(1, Column::waf) == 3);
    CHECK(series.value(1, Column::free_superblocks) == 7);
    CHECK(series.time(1) == 11.25);
    CHECK(series.time_in_phase(1) == 1.25);
}

TEST_CASE("a second without host writes has a write amplification of 0") {
    Series series{0_s, 0_s};
    Series::Second only_gc = second(0_s, 1_s, 0);
    only_gc.sectors_programmed = 100;
    series.add(only_gc);
    series.finish();

    CHECK(series.value(0, Column::waf) == 0);
}

TEST_CASE("windows take the rows that end in them and leave out the piece of a second at the end") {
    Series series{0_s, 0_s};
    for (int i = 0; i < 4; ++i) {
        series.add(second(1_s * i, 1_s * (i + 1), static_cast<std::uint64_t>(i)));
    }
    series.add(second(4_s, 4_s + 100_ms, 100));
    series.finish();

    CHECK(series.window(Column::write_iops, {}, {}).values == std::vector<double>{0, 1, 2, 3});
    CHECK(series.window(Column::write_iops, 1.0, 3.0).values == std::vector<double>{1, 2});
    CHECK(series.window(Column::write_iops, 9.0, {}).values.empty());
}

TEST_CASE("charts mark points in braille or in ASCII, low values at the bottom") {
    const std::vector<Point> ramp{{0, 0}, {1, 50}, {2, 100}};

    CHECK(chart(ramp, false, {.columns = 5, .rows = 3}) ==
          "    100 |    *\n"
          "        |  *\n"
          "      0 |*\n"
          "        +-----\n"
          "         0 s2 s\n");
    CHECK(chart(ramp, true, {.columns = 1, .rows = 2}).find("\u2888") != std::string::npos);  // upper right, and below
    CHECK(chart({}, true).empty());
}

TEST_CASE("a chart of very different values is logarithmic") {
    const std::string text = chart({{0, 10}, {1, 10}, {2, 10}, {3, 100'000}}, false, {.columns = 20, .rows = 9});

    CHECK(text.find("1.00K") != std::string::npos);
}

TEST_CASE("the progress line reads like fio's") {
    CHECK(ProgressLine::text({.phase = "consistency",
                              .timed = true,
                              .seconds = 812,
                              .total_seconds = 2000,
                              .done = 0.406,
                              .iops = 7120,
                              .waf = 11.2},
                             8.2) == "consistency 812/2000 s | 7.12K IOPS | WAF 11.2 | eta 0:12");
    CHECK(ProgressLine::text({.phase = "fill", .timed = false, .done = 0.25, .iops = 1e6}, 30) ==
          "fill 25% | 1.00M commands | eta 1:30");
}

TEST_CASE("tables count characters, not bytes") {
    CHECK(table({{"a", "b"}, {"\u00e4\u00f6", "1"}}, {0}) == "a   b\n\u00e4\u00f6  1\n");
}

TEST_CASE("a folder of results appears as a whole or not at all") {
    const test::ScratchFolder scratch;
    const std::string path = scratch.path("new/results");

    {
        OutputFolder abandoned{path};
        abandoned.write("a", "text");
        CHECK(!std::filesystem::exists(path + "/a"));
    }
    CHECK(!std::filesystem::exists(path));

    {
        OutputFolder kept{path};
        kept.write("a", "text");
        kept.publish();
    }
    CHECK(std::filesystem::file_size(path + "/a") == 4);
    CHECK(std::distance(std::filesystem::directory_iterator{path}, {}) == 1);
}

TEST_CASE("a file in the place of the folder stays as it is") {
    const test::ScratchFolder scratch;
    const std::string file = scratch.write("taken", "mine");

    CHECK_THROWS_WITH(OutputFolder{file}, Catch::Contains("taken: it is not a folder"));

    CHECK(std::filesystem::file_size(file) == 4);
}

}  // namespace ftlab::report
