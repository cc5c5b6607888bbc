// SPDX-License-Identifier: MIT
#include "sim/workload/replay.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "sim/workload/trace/error.h"
#include "tests/workload/shared_traces.h"

namespace ftlab::workload {
namespace {

using namespace ftlab::literals;
using testing::shared_trace;

constexpr std::uint64_t kDrive = (1_GiB) / kLbaSize;

Replay::Open text(const std::string& lines) {
    return [lines] { return open_trace_text("t", lines, {}); };
}

Replay replay(const std::string& lines, const ReplayParams& params, std::uint64_t drive_lbas = kDrive) {
    return Replay{text(lines), true, params, drive_lbas};
}

std::vector<Request> all(Source& source) {
    std::vector<Request> requests;
    while (const auto request = source.next()) {
        requests.push_back(*request);
    }
    return requests;
}

TraceError error_of(const std::string& lines, const ReplayParams& params, std::uint64_t drive_lbas = kDrive) {
    try {
        replay(lines, params, drive_lbas);
    } catch (const TraceError& error) {
        return error;
    }
    FAIL("was accepted");
    throw;  // not reached
}

const std::string kLines =
    "1 D write 0 4096 10.000000000 0 True\n"
    "1 D read 4608 512 10.000001000 0 False\n"
    "1 D discard 8192 8192 10.500000000 0 True\n";

TEST_CASE("a replay gives the trace's requests, with arrivals counted from its first") {
    Replay source = replay(kLines, {});

    CHECK(source.has_arrival_times());
    CHECK(all(source) == std::vector<Request>{
                             {.arrival = 0_ps, .first = Lba{0}, .lbas = 8, .op = Op::write},
                             {.arrival = 1_us, .first = Lba{9}, .lbas = 1, .op = Op::read},
                             {.arrival = 500_ms, .first = Lba{16}, .lbas = 16, .op = Op::trim},
                         });
    CHECK(source.counts().delivered == 3);
    CHECK(source.total()->delivered == 3);
    CHECK(source.info()->requests() == 3);
}

TEST_CASE("speed divides arrival times exactly") {
    Replay fast = replay(kLines, {.speed = 2.5});
    Replay slow = replay(kLines, {.speed = 0.001});

    CHECK(all(fast).at(2).arrival == 200_ms);
    CHECK(all(slow).at(1).arrival == 1_ms);
}

TEST_CASE("a closed loop does not look at time stamps") {
    Replay source = replay(kLines, {.arrival_times = false});

    CHECK_FALSE(source.has_arrival_times());
    for (const Request& request : all(source)) {
        CHECK(request.arrival == 0_ps);
    }
}

TEST_CASE("time going backwards keeps the file's order: the late line arrives with the latest before it") {
    Replay source = replay(
        "1 D write 0 4096 5.0 0 True\n"
        "1 D write 4096 4096 7.0 0 True\n"
        "1 D write 8192 4096 4.0 0 True\n"
        "1 D write 12288 4096 6.0 0 True\n"
        "1 D write 16384 4096 8.0 0 True\n",
        {});

    const std::vector<Request> requests = all(source);

    CHECK(requests.at(0).arrival == 0_s);
    CHECK(requests.at(1).arrival == 2_s);
    CHECK(requests.at(2).arrival == 2_s);
    CHECK(requests.at(3).arrival == 2_s);
    CHECK(requests.at(4).arrival == 3_s);
    CHECK(source.counts().delayed == 2);
    CHECK(source.info()->inversions() == 1);
}

TEST_CASE("a time stamp beyond simulated time is refused, unless nobody asks for times") {
    const std::string lines = kLines + "1 D write 0 4096 9300000.0 0 True\n";  // 107 days

    const TraceError error = error_of(lines, {});
    Replay closed = replay(lines, {.arrival_times = false});
    Replay fast = replay(lines, {.speed = 1000});

    CHECK(error.line() == 4);
    CHECK(error.sentence().find("the request arrives more than 106 days after the first") == 0);
    CHECK(all(closed).size() == 4);
    CHECK(all(fast).at(3).arrival == 9'299'990_ms);
}

const std::string kNegative =
    "1 D write -6144 4096 0.0 0 True\n"
    "1 D write 0 4096 0.0 0 True\n";

TEST_CASE("a negative offset is refused, and the options that allow it are named") {
    const TraceError error = error_of(kLines + kNegative, {});

    CHECK(error.line() == 4);
    CHECK(error.sentence() ==
          "the offset -6144 is negative; leave such requests out with --negative skip, or move all addresses up with "
          "--negative shift");
}

TEST_CASE("skip leaves requests with negative offsets out and counts them") {
    Replay source = replay(kNegative, {.negative = NegativeOffsets::skip});

    CHECK(all(source).size() == 1);
    CHECK(source.counts().negative == 1);
}

TEST_CASE("shift moves all addresses up by whole sectors, just enough") {
    Replay source = replay(kNegative, {.negative = NegativeOffsets::shift});

    const std::vector<Request> requests = all(source);

    CHECK(requests.at(0).first == Lba{(8192 - 6144) / 512});  // -6144 lies 2048 B into its sector, and still does
    CHECK(requests.at(1).first == Lba{16});
    Replay untouched = replay(kLines, {.negative = NegativeOffsets::shift});
    CHECK(all(untouched).at(0).first == Lba{0});
}

TEST_CASE("the first request beyond the drive is refused with its line, before anything is played") {
    const TraceError error = error_of(kLines, {}, 31);

    CHECK(error.line() == 3);
    CHECK(
        error.sentence() ==
        "the trim of 8192 B at byte 8192 ends at LBA 32, beyond the 31 LBAs of the drive; choose a larger drive, or a "
        "rule for such addresses: --map wrap, scale or compact");
}

TEST_CASE("requests that a map cuts arrive together and are counted") {
    Replay source = replay("1 D write 12288 8192 0.0 0 True\n", {.map = {.rule = AddressRule::wrap}}, 32);

    CHECK(all(source) == std::vector<Request>{{.first = Lba{24}, .lbas = 8, .op = Op::write},
                                              {.first = Lba{0}, .lbas = 8, .op = Op::write}});
    CHECK(source.counts().delivered == 2);
    CHECK(source.counts().split == 1);
}

TEST_CASE("a trace is scaled by its own extent") {
    Replay source = replay(
        "1 D write 0 4096 0.0 0 True\n"
        "1 D write 1048576 4096 0.0 0 True\n"
        "1 D write 2093056 4096 0.0 0 True\n",
        {.map = {.rule = AddressRule::scale}}, (1_MiB) / kLbaSize);

    const std::vector<Request> requests = all(source);

    CHECK(requests.at(1).first == Lba{1024});
    CHECK(requests.at(2).first == Lba{2040});
}

TEST_CASE("operations can be left out") {
    Replay source = replay(kLines, {.ignore = {Op::trim}});

    CHECK(all(source).size() == 2);
    CHECK(source.counts().ignored == 1);
}

TEST_CASE("requests of no bytes do nothing and are counted") {
    Replay source = replay(kLines + "1 D write 0 0 11.0 0 True\n", {});

    CHECK(all(source).size() == 3);
    CHECK(source.counts().empty == 1);
    CHECK(source.info()->empty() == 1);
}

const std::string kTwoDisks =
    "128166410318060999,h,1,Write,0,4096,1\n"
    "128166410318060999,h,3,Write,512,4096,1\n";

TEST_CASE("two disks of one trace are not mixed up") {
    const TraceError error = error_of(kTwoDisks, {});
    Replay one = replay(kTwoDisks, {.disk = 3});

    CHECK(error.line() == 2);
    CHECK(error.sentence() ==
          "the request is for disk 3, those before for disk 1, and each has addresses of its own; choose one with "
          "--disk 1");
    CHECK(all(one).at(0).first == Lba{1});
    CHECK(one.counts().other_disks == 1);
    CHECK(one.counts().delivered == 1);
}

TEST_CASE("a replay with nothing to play says where it went") {
    const TraceError error = error_of(kLines, {.ignore = {Op::read, Op::write, Op::trim}});

    CHECK(
        error.sentence() ==
        "leaves nothing to play: of its 3 requests, 3 are ignored, 0 are on other disks, 0 have negative offsets and 0 "
        "are empty");
}

TEST_CASE("damage at the end of a trace comes out before the first request") {
    const TraceError error = error_of(kLines + "1 D write 0 40", {});

    CHECK(error.line() == 4);
}

TEST_CASE("compact gives the same addresses in the rehearsal and in every replay") {
    Replay one = replay(kLines, {.map = {.rule = AddressRule::compact, .chunk = 4_KiB}}, 1024);
    Replay two = replay(kLines, {.map = {.rule = AddressRule::compact, .chunk = 4_KiB}}, 1024);

    CHECK(all(one) == all(two));
    CHECK(one.counts().trim_lbas_dropped == 16);
    CHECK(one.total()->trim_lbas_dropped == 16);
}

TEST_CASE("a pipe is played without a rehearsal") {
    std::string folder = (std::filesystem::temp_directory_path() / "ftlab-pipe-XXXXXX").string();
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    const std::string pipe = folder + "/trace";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::thread writer{[&pipe] { std::ofstream{pipe} << kLines; }};

    Replay source{{.file = pipe}, kDrive};

    CHECK_FALSE(source.total().has_value());
    CHECK(all(source).size() == 3);
    writer.join();
    std::filesystem::remove_all(folder);
}

TEST_CASE("a pipe cannot be scaled or shifted") {
    const ReplayParams scaled{.map = {.rule = AddressRule::scale}};
    const ReplayParams shifted{.negative = NegativeOffsets::shift};

    CHECK_THROWS_WITH(Replay(text(kLines), false, scaled, kDrive),
                      "t: is a pipe, and scale and shift need to read the trace twice; store it in a file first");
    CHECK_THROWS_AS(Replay(text(kLines), false, shifted, kDrive), TraceError);
}

TEST_CASE("the WiscSee trace replays with its 905 discards on a drive of 2 GiB") {
    const auto file = shared_trace("wiscsee_events/reqscale-mkfs.txt");
    if (!file) {
        return;
    }
    const std::uint64_t drive = (2_GiB) / kLbaSize;
    ReplayParams params{.file = *file};

    CHECK_THROWS_AS(Replay(params, drive), TraceError);
    params.negative = NegativeOffsets::shift;
    Replay source{params, drive};

    std::uint64_t trims = 0;
    std::uint64_t trimmed = 0;
    Time last{0};
    for (const Request& request : all(source)) {
        trims += request.op == Op::trim ? 1U : 0U;
        trimmed += request.op == Op::trim ? request.size().count : 0U;
        REQUIRE(request.arrival >= last);
        REQUIRE(request.end() <= drive);
        last = request.arrival;
    }
    CHECK(trims == 905);
    CHECK(trimmed == 17'960'960);
    CHECK(last == Time{2'266'235'438'000});
    CHECK(source.counts().delivered == 20'000);
}

TEST_CASE("a week of MSR Cambridge fits a small drive by every rule but refuse") {
    const auto file = shared_trace("msr_cambridge/wdev_1.csv");
    if (!file) {
        return;
    }
    const AddressRule rule = GENERATE(AddressRule::wrap, AddressRule::scale, AddressRule::compact);
    const std::uint64_t drive = (64_MiB) / kLbaSize;
    Replay source{{.file = *file, .map = {.rule = rule}, .speed = 1000}, drive};

    std::uint64_t bytes = 0;
    Time last{0};
    for (const Request& request : all(source)) {
        bytes += request.size().count;
        REQUIRE(request.end() <= drive);
        last = request.arrival;
    }

    CHECK(bytes == 5'537'792);
    CHECK(last == Time{595'003'214'016'900});
    CHECK_THROWS_AS(Replay({.file = *file}, drive), TraceError);
}

}  // namespace
}  // namespace ftlab::workload
