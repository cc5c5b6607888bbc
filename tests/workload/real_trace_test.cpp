// SPDX-License-Identifier: MIT
// The counts are those that the README beside each trace gives.
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "sim/workload/replay.h"
#include "sim/workload/trace/error.h"
#include "sim/workload/trace/info.h"
#include "sim/workload/trace/reader.h"
#include "tests/workload/shared_traces.h"

namespace ftlab::workload {
namespace {

using namespace std::chrono_literals;
using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)
using testing::shared_trace;

TraceInfo info_of(const std::string& file, const TraceOptions& options = {}) {
    return survey(*open_trace(file, options), true);
}

TEST_CASE("wdev_1 of MSR Cambridge is read to the last request") {
    const auto file = shared_trace("msr_cambridge/wdev_1.csv");
    if (!file) {
        return;
    }

    const TraceInfo info = info_of(*file);

    CHECK(info.devices() == 1);
    CHECK(info.unaligned() == 4);
    CHECK(to_text(info) ==
          "1055 requests; write 1055 (100.0%); bytes write 5537792; span [2675048448, 54620086272) B = 48.38 GiB; size "
          "min/median/max 512/4096/61440 B, top 955x4096, 41x8192, 38x12288, 10x61440; duration 595003 s; touched 4K "
          "footprint 1.4 MiB (written 1.4 MiB, total written 5.3 MiB); not 4K-aligned 0.4%; time inversions 0");
}

TEST_CASE("wdev_3 of MSR Cambridge is read to the last request") {
    const auto file = shared_trace("msr_cambridge/wdev_3.csv");
    if (!file) {
        return;
    }

    CHECK(to_text(info_of(*file)) ==
          "682 requests; read 11 (1.6%), write 671 (98.4%); bytes read 712704, write 2990080; span [10860032, "
          "36417486336) "
          "B = 33.91 GiB; size min/median/max 4096/4096/65536 B, top 625x4096, 45x8192, 10x65536, 1x61440; duration "
          "596962 "
          "s; touched 4K footprint 1.2 MiB (written 0.5 MiB, total written 5.5 MiB)"
          "; not 4K-aligned 100.0%; time inversions 0");
}

TEST_CASE("web3 has 86 offsets that a spreadsheet rounded: the first is refused with its place") {
    const auto file = shared_trace("msr_cambridge/web3-trace.txt");
    if (!file) {
        return;
    }

    REQUIRE_THROWS_AS(info_of(*file), TraceError);
    try {
        info_of(*file);
    } catch (const TraceError& error) {
        CHECK(error.line() == 2);
        CHECK(error.column() == 26);
        CHECK(error.sentence().find("the offset '1.82083E+11' is not a whole number (a spreadsheet") == 0);
    }
}

TEST_CASE("web3 without its damaged lines has the other 31,294 requests of 31,380") {
    const auto file = shared_trace("msr_cambridge/web3-trace.txt");
    if (!file) {
        return;
    }
    const auto reader = open_trace(*file, {.skip_bad = Ratio{0.01}});

    const TraceInfo info = survey(*reader, true);

    // The README's 31,380 takes the rounded offsets for numbers.  They are no multiple of 512, so no request of a disk.
    CHECK(reader->counts().damaged_lines == 86);
    CHECK(info.requests() + reader->counts().damaged_lines == 31'380);
    CHECK(info.of(Op::read).requests == 10'029);
    CHECK(info.of(Op::write).requests == 21'265);
    CHECK(info.of(Op::read).bytes == Bytes{770'590'720});
    CHECK(info.of(Op::write).bytes == Bytes{454'604'800});
    CHECK(info.lowest() == 32'256);
    CHECK(info.highest() == 52'415'933'952);
    CHECK(info.median() == Bytes{16'384});
    CHECK(info.largest() == Bytes{1'048'576});
    CHECK(info.unaligned() == 31'294);
    CHECK(info.inversions() == 0);
    CHECK(info.duration() == 594'376'222'000'000ns);
    CHECK(info.touched_sectors() == 154'691U);
    CHECK(info.written_sectors() == 109'986U);
}

TEST_CASE("the WiscSee trace of mkfs and SQLite has 905 discards and 19,046 writes") {
    const auto file = shared_trace("wiscsee_events/reqscale-mkfs.txt");
    if (!file) {
        return;
    }

    CHECK(
        to_text(info_of(*file)) ==
        "20000 requests; read 49 (0.2%), write 19046 (95.2%), trim 905 (4.5%); bytes read 197632, write 180203520, "
        "trim "
        "17960960; span [-8388608, 1073741824) B = 1.01 GiB; size min/median/max 1024/4096/524288 B, top 14672x4096, "
        "2038x8192, 1130x20480, 1003x28672; duration 2.26624 s; touched 4K footprint 64.6 MiB (written 64.6 MiB, total "
        "written 171.9 MiB); not 4K-aligned 0.0%; time inversions 0");
}

TEST_CASE("every discard of the WiscSee trace is played once, in pieces where the drive's end cuts it") {
    const auto file = shared_trace("wiscsee_events/reqscale-mkfs.txt");
    if (!file) {
        return;
    }
    const auto [drive, splits] = GENERATE(std::pair{2_GiB, false}, std::pair{1_MiB - 12_KiB, true});
    ReplayParams params;
    params.file = *file;
    params.negative = NegativeOffsets::shift;
    params.map.rule = splits ? AddressRule::wrap : AddressRule::refuse;
    Replay replay{params, drive / kLbaSize};

    std::uint64_t discards = 0;
    std::uint64_t pieces = 0;
    std::uint64_t discarded_lbas = 0;
    std::uint64_t last = 0;
    for (std::array<Request, 1> next; replay.fill(next) == 1;) {
        // Pieces of a request come one after the other, and all but the first count as split.
        const std::uint64_t request = replay.counts().delivered - replay.counts().split;
        if (next[0].op == Op::trim) {
            ++pieces;
            discards += request != last ? 1U : 0U;
            discarded_lbas += next[0].lbas;
        }
        last = request;
    }

    CHECK(discards == 905);
    CHECK(discarded_lbas == 17'960'960 / 512);
    CHECK((pieces > 905) == splits);
    CHECK(last == 20'000);
}

TEST_CASE("completions of a WiscSee trace are not counted as requests") {
    const auto file = shared_trace("wiscsee_events/reqscale.txt");
    if (!file) {
        return;
    }
    const auto reader = open_trace(*file, {});

    const TraceInfo info = survey(*reader, true);

    CHECK(reader->counts().other_lines == 5000);
    CHECK(to_text(info) ==
          "5000 requests; read 5000 (100.0%); bytes read 23371776; span [134549504, 415473664) B = 0.26 GiB; size "
          "min/median/max 4096/4096/61440 B, top 4670x4096, 155x12288, 106x8192, 41x16384; duration 0.827652 s; "
          "touched 4K "
          "footprint 20.8 MiB (written 0.0 MiB, total written 0.0 MiB); not 4K-aligned 0.0%; time inversions 0");
}

}  // namespace
}  // namespace ftlab::workload
