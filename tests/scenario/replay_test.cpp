// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenario/program.h"
#include "tests/workload/shared_traces.h"

namespace ftlab::test {

using Catch::Matchers::Contains;
using Json = nlohmann::json;
using workload::testing::shared_trace;

namespace {

/// An independent count of the read-modify-writes of an MSR trace on a drive that is full: sectors wait in order until
/// a program unit of them is complete; one that is written again meanwhile is completed where it waits; one that leaves
/// with parts missing has to be read first.  `left` sectors of the fill are still waiting when the trace begins.
std::uint64_t count_rmw(const std::string& trace, std::size_t unit, std::uint64_t left) {
    constexpr std::uint64_t kSector = 4096;
    constexpr std::uint64_t kLba = 512;
    std::map<std::uint64_t, unsigned> waiting;  // mask of LBAs
    std::deque<std::uint64_t> order;
    for (std::uint64_t i = 0; i < left; ++i) {
        order.push_back(~i);  // no sector of the trace
        waiting[~i] = 0xff;
    }
    std::uint64_t rmw = 0;
    std::ifstream file{trace};
    for (std::string line; std::getline(file, line);) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields{line};
        std::string stamp, host, disk, op;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        fields >> stamp >> host >> disk >> op >> offset >> size;
        if (op != "Write") {
            continue;
        }
        for (std::uint64_t at = offset; at < offset + size; at += kLba) {
            const std::uint64_t sector = at / kSector;
            if (waiting.count(sector) == 0) {
                order.push_back(sector);
            }
            waiting[sector] |= 1U << (at % kSector / kLba);
        }
        while (order.size() >= unit) {
            for (std::size_t i = 0; i < unit; ++i) {
                rmw += waiting[order.front()] == 0xff ? 0U : 1U;
                waiting.erase(order.front());
                order.pop_front();
            }
        }
    }
    return rmw;
}

/// An independent count of the 4 KiB sectors that the discards of a WiscSee trace take from a fresh drive: whole ones
/// that hold data.
std::uint64_t count_trimmed(const std::string& trace) {
    constexpr std::int64_t kSector = 4096;
    constexpr std::int64_t kShift = 8'388'608;  // the trace begins that far below 0
    std::set<std::int64_t> held;
    std::uint64_t trimmed = 0;
    std::ifstream file{trace};
    std::string pid, action, op;
    std::int64_t offset = 0;
    std::int64_t size = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream{line} >> pid >> action >> op >> offset >> size;
        if (action != "D") {
            continue;
        }
        offset += kShift;
        const bool discard = op == "discard";
        const std::int64_t first = (offset + (discard ? kSector - 1 : 0)) / kSector;
        const std::int64_t end = (offset + size + (discard ? 0 : kSector - 1)) / kSector;
        for (std::int64_t sector = first; sector < end; ++sector) {
            if (discard) {
                trimmed += held.erase(sector);
            } else if (op == "write") {
                held.insert(sector);
            }
        }
    }
    return trimmed;
}

Json replay_phase(const ScratchFolder& folder, const std::string& options) {
    const Outcome run = shell(folder, "ftlab replay " + options + " --json");
    INFO(run.err);
    REQUIRE(run.code == 0);
    return Json::parse(run.out)["phases"].back();
}

}  // namespace

TEST_CASE("the WiscSee trace applies its 905 discards to the drive") {
    const auto trace = shared_trace("wiscsee_events/reqscale-mkfs.txt");
    if (!trace) {
        return;
    }
    const ScratchFolder folder;
    const std::string mode = GENERATE("timed", "bare");

    const Json phase = replay_phase(folder, *trace + " --device plextor-m5m-64 --negative shift --mode " + mode);

    CHECK(phase["host"]["trim"]["ios"] == 905);
    CHECK(phase["host"]["trim"]["bytes"] == 17'960'960);
    CHECK(phase["ftl"]["sectors_trimmed"].get<std::uint64_t>() == count_trimmed(*trace));
    CHECK(phase["details"]["trace_requests"] == 20000);
    CHECK(phase["details"]["requests_delivered"] == 20000);
    CHECK(phase["details"]["requests_split"] == 0);
}

TEST_CASE("discards of the WiscSee trace that wrap around a small drive are applied to the last byte") {
    const auto trace = shared_trace("wiscsee_events/reqscale-mkfs.txt");
    if (!trace) {
        return;
    }
    const ScratchFolder folder;

    const Json phase = replay_phase(folder, *trace + " --device tiny --negative shift --map wrap");

    // tests/workload/real_trace_test.cpp counts the pieces.
    CHECK(phase["host"]["trim"]["ios"].get<int>() >= 905);
    CHECK(phase["host"]["trim"]["bytes"] == 17'960'960);
    CHECK(phase["details"]["trace_requests"] == 20000);
    CHECK(phase["details"]["requests_empty"] == 0);
}

TEST_CASE("wdev_3, unaligned throughout, causes exactly the read-modify-writes of an independent count") {
    const auto trace = shared_trace("msr_cambridge/wdev_3.csv");
    if (!trace) {
        return;
    }
    const ScratchFolder folder;

    const Json phase = replay_phase(folder, *trace + " --device plextor-m5m-64 --precondition fill --mode bare");

    constexpr std::size_t kUnitSectors = 8;  // two planes of 16 KiB pages
    constexpr std::uint64_t kUserSectors = 125'045'424 / 8;
    CHECK(phase["ftl"]["rmw_sectors"].get<std::uint64_t>() ==
          count_rmw(*trace, kUnitSectors, kUserSectors % kUnitSectors));
    CHECK(phase["host"]["write"]["ios"] == 671);
}

TEST_CASE("a week of arrival times passes in seconds, and faster with --speed") {
    const auto trace = shared_trace("msr_cambridge/wdev_3.csv");
    if (!trace) {
        return;
    }
    const ScratchFolder folder;

    CHECK(replay_phase(folder, *trace + " --device plextor-m5m-64")["seconds"].get<double>() ==
          Approx(596962).margin(1));
    CHECK(replay_phase(folder, *trace + " --device plextor-m5m-64 --speed 1000")["seconds"].get<double>() ==
          Approx(596.962).margin(0.1));
    CHECK(replay_phase(folder, *trace + " --device plextor-m5m-64 --closed-loop 4")["seconds"].get<double>() < 10);
}

TEST_CASE("a full drive that is hardly written does not copy itself in the pauses") {
    // Idle collection took victims of which one sector in 10,000 was free: 176 programs for each sector written.
    const auto trace = shared_trace("msr_cambridge/wdev_3.csv");
    if (!trace) {
        return;
    }
    const ScratchFolder folder;

    const Json phase = replay_phase(folder, *trace + " --device plextor-m5m-64 --precondition fill");

    CHECK(phase["waf"].get<double>() < 1);  // less than written: the buffer coalesces
    CHECK(phase["flash"]["sectors_programmed"]["gc"] == 0);
}

TEST_CASE("a replay beyond the drive is refused at its line until a rule is named") {
    const ScratchFolder folder;
    folder.write("t.csv",
                 "128166372003061629,h,0,Write,0,4096,1\n"
                 "128166372003061630,h,0,Write,10000000000,4096,1\n");

    const Outcome refused = shell(folder, "ftlab replay t.csv --device tiny");
    const Outcome wrapped = shell(folder, "ftlab replay t.csv --device tiny --map wrap");

    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("t.csv:2") && Contains("--map wrap"));
    CHECK(wrapped.code == 0);
}

TEST_CASE("a damaged line is named, and skipped only on request") {
    const ScratchFolder folder;
    folder.write("t.csv",
                 "128166372003061629,h,0,Write,0,4096,1\n"
                 "128166372003061630,h,0,Wri\n"
                 "128166372003061631,h,0,Read,0,4096,1\n");

    const Outcome refused = shell(folder, "ftlab replay t.csv --device tiny");
    const Json skipped = replay_phase(folder, "t.csv --device tiny --skip-bad 50%");

    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("t.csv:2"));
    CHECK(skipped["details"]["trace_damaged_lines"] == 1);
    CHECK(skipped["host"]["read"]["ios"] == 1);
}

}  // namespace ftlab::test
