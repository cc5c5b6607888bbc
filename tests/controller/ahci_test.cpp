// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "ftl/instant_flash.h"
#include "sim/base/random.h"
#include "sim/base/units.h"
#include "tests/controller/ahci_bench.h"

namespace ftlab::controller::testing {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)
using Ask = AhciBench::Ask;

Ask write(std::uint64_t sector, std::uint64_t sectors = 1, bool fua = false) {
    return {.op = HostOp::write, .first = sector * 8, .count = sectors * 8, .fua = fua};
}
Ask read(std::uint64_t sector, std::uint64_t sectors = 1) {
    return {.op = HostOp::read, .first = sector * 8, .count = sectors * 8};
}
Ask flush() { return {.op = HostOp::flush, .first = 0, .count = 0}; }

TEST_CASE("a 4 KiB write at queue depth 1 takes the sum of its parts to the picosecond") {
    AhciBench::Spec spec;
    spec.controller.firmware.decode_latency = 3_us;
    AhciBench bench{spec};
    const FirmwareParams& fw = bench.params.firmware;

    const std::uint32_t job = bench.issue(10_us, write(5));

    const Duration link = bench.link.command_length() + bench.data_phase(4_KiB);
    const Duration firmware = fw.write_command + fw.decode_latency + fw.completion_latency;
    const Duration dram = bench.dram_pass(4_KiB);
    const Duration back = bench.link.status_length();
    CHECK(bench.answered_at(job, 10_us + link + firmware + dram + back));
    CHECK(bench.spent(job, Cause::link) == link);
    CHECK(bench.spent(job, Cause::firmware) == firmware);
    CHECK(bench.spent(job, Cause::dram) == dram);
    CHECK(bench.spent(job, Cause::link_back) == back);
    CHECK(bench.commands[job].stamps.sum() == bench.latency(job));
}

TEST_CASE("a 4 KiB read from flash takes the sum of its parts to the picosecond") {
    AhciBench bench{{}};
    bench.issue(0_us, write(0, 8));

    const std::uint32_t job = bench.issue(10_ms, read(3));

    const Duration transfer = bench.timing.read_command(1) + bench.timing.data_out(1);
    const Duration media = bench.timing.read(0);
    const Duration back = bench.data_phase(4_KiB) + bench.link.status_length();
    CHECK(bench.answered_at(job, 10_ms + bench.link.command_length() + bench.params.firmware.read_command + transfer +
                                     media + bench.params.flash.ecc_latency + bench.dram_pass(4_KiB) + back));
    CHECK(bench.spent(job, Cause::bus_transfer) == transfer);
    CHECK(bench.spent(job, Cause::media) == media);
    CHECK(bench.spent(job, Cause::ecc) == bench.params.flash.ecc_latency);
    CHECK(bench.spent(job, Cause::die_wait) == 0_us);
    CHECK(bench.spent(job, Cause::bus_wait) == 0_us);
    CHECK(bench.spent(job, Cause::link_back) == back);
}

TEST_CASE("a read behind a program of its die waits for the die, and for nothing else") {
    AhciBench bench{{}};
    bench.issue(0_us, write(0, 32));   // one unit for each die, page 0
    bench.issue(10_ms, write(32, 8));  // page 1 of the first die
    const Time program_ends = 10_ms + bench.link.command_length() + bench.params.firmware.write_command +
                              7 * bench.params.firmware.extra_write_sector + bench.data_phase(32_KiB) +
                              bench.dram_pass(32_KiB) + 8 * bench.params.firmware.program_sector +
                              bench.timing.data_in(2) + bench.timing.program(1);

    const std::uint32_t job = bench.issue(program_ends - 100_us, read(0));
    bench.play();

    CHECK(bench.spent(job, Cause::die_wait) ==
          100_us - bench.link.command_length() - bench.params.firmware.read_command);
    CHECK(bench.spent(job, Cause::bus_wait) == 0_us);
    CHECK(bench.spent(job, Cause::media) == bench.timing.read(0));
}

TEST_CASE("a read of buffered or never written data touches no flash") {
    const std::uint64_t sector = GENERATE(2, 100);  // written just before, never written
    AhciBench bench{{}};
    bench.issue(0_us, write(2));

    const std::uint32_t job = bench.issue(1_ms, read(sector));

    CHECK(bench.answered_at(job, 1_ms + bench.link.command_length() + bench.params.firmware.read_command +
                                     bench.dram_pass(4_KiB) + bench.data_phase(4_KiB) + bench.link.status_length()));
    CHECK(bench.spent(job, Cause::media) == 0_us);
    CHECK(bench.spent(job, Cause::bus_transfer) == 0_us);
    CHECK(bench.counters().reads.total() == 0);
}

TEST_CASE("a FUA write is answered after its program, which may be a padded one") {
    AhciBench bench{{}};
    const FirmwareParams& fw = bench.params.firmware;
    std::uint64_t programmed = 0;
    bench.on_answer = [&](std::uint32_t /*command*/) { programmed = bench.counters().programs.total(); };

    const std::uint32_t job = bench.issue(0_us, write(5, 1, true));

    const Duration program = 8 * fw.program_sector + bench.timing.data_in(2) + bench.timing.program(0);
    CHECK(bench.answered_at(job, bench.link.command_length() + fw.write_command + bench.data_phase(4_KiB) +
                                     bench.dram_pass(4_KiB) + program + fw.completion_latency +
                                     bench.link.status_length()));
    CHECK(bench.spent(job, Cause::buffer_media) == program);
    CHECK(programmed == 1);
}

TEST_CASE("a FUA write of several bursts is answered after the last of its programs") {
    AhciBench bench{{}};  // 64 sectors of buffer
    std::uint64_t programmed = 0;
    bench.on_answer = [&](std::uint32_t /*command*/) {
        programmed = bench.counters().sectors_programmed[ftl::Origin::host];
    };

    bench.issue(0_us, write(0, 200, true));
    bench.play();

    CHECK(programmed == 200);
}

TEST_CASE("a flush is answered after the programs of all earlier writes") {
    AhciBench bench{{}};
    Random random{7};
    for (int i = 0; i < 20; ++i) {
        bench.issue(i * 20_us, write(random.below(500), 1 + random.below(3)));
    }
    bench.scheduler.run(2_ms);
    REQUIRE(bench.ftl().buffer().used() > 0);
    REQUIRE(std::count(bench.ends.begin(), bench.ends.end(), kNever) == 0);
    std::uint32_t buffered = 1;
    bench.on_answer = [&](std::uint32_t /*command*/) { buffered = bench.ftl().buffer().used(); };

    const std::uint32_t job = bench.issue(2_ms, flush());
    bench.play();

    CHECK(buffered == 0);
    CHECK(bench.ftl().drained());
    CHECK(bench.spent(job, Cause::buffer_media) > bench.timing.program(0));
    CHECK(bench.counters().sectors_programmed[ftl::Origin::host] + bench.counters().host_sectors_coalesced ==
          bench.counters().host_sectors_received);
}

TEST_CASE("a flush with nothing to write costs two frames and the firmware's time") {
    AhciBench bench{{}};
    const FirmwareParams& fw = bench.params.firmware;

    const std::uint32_t job = bench.issue(0_us, flush());

    CHECK(bench.answered_at(
        job, bench.link.command_length() + fw.other_command + fw.completion_latency + bench.link.status_length()));
}

TEST_CASE("a write larger than the buffer flows through it, whatever lay in the buffer before") {
    // Was: a burst waited for more room than the buffer ever has while less than a program unit is left in it.
    const std::uint64_t sectors = GENERATE(57, 64, 300);
    AhciBench bench{{}};  // 64 sectors of buffer
    bench.issue(0_us, write(1000));
    bench.scheduler.run(1_ms);
    REQUIRE(bench.ftl().buffer().used() == 1);

    const std::uint32_t job = bench.issue(1_ms, write(0, sectors));
    bench.play();

    CHECK(bench.ends[job] != kNever);
    CHECK(bench.counters().host_sectors_received == sectors + 1);
}

TEST_CASE("on a fresh drive a full buffer is waited for because of the media") {
    AhciBench bench{{}};
    std::uint64_t sector = 0;
    bench.closed_loop(0_us, 32, 1000, [&] { return write(sector++); });

    bench.play();

    CHECK(std::count(bench.ends.begin(), bench.ends.end(), kNever) == 0);
    CHECK(bench.counters().host_stops == 0);
    CHECK(bench.total(Cause::buffer_media) > 100_ms);  // 1000 sectors at the speed of four dies
    CHECK(bench.total(Cause::buffer_gc) == 0_us);
}

/// A drive whose GC works only when the host has no superblock left.
AhciBench::Spec drive_that_stops() {
    AhciBench::Spec spec;
    spec.geometry = ftlab::testing::geometry_of(2, 2, 2, 16, 16);
    spec.ftl =
        "write_buffer: {size: 256 KiB}\n"
        "gc: {trigger: {lazy: {start_after_used: 0, mark_min: 1, mark_max: 1, max_moves: 0}}}\n";
    return spec;
}

TEST_CASE("a write that waits for GC to free a superblock says so, and only as long as that lasts") {
    // Was: noticed at the next program's end only, so that the program after the erase counted as a wait for GC.
    AhciBench bench{drive_that_stops()};
    const std::uint32_t user = bench.ftl().user_sectors();
    Random random{11};
    ftl::InstantFlash{bench.ftl()}.write(0, std::uint64_t{user} * 8);
    bench.closed_loop(0_us, 1, 4000, [&] { return write(random.below(user)); });

    // At depth 1 the last command issued is the one in flight.
    std::vector<Duration> blocked(4000);
    for (Time now = 0_us; bench.ends.size() < 4000 || bench.ends.back() == kNever; now += 20_us) {
        bench.scheduler.run(now);
        blocked[bench.ends.size() - 1] += bench.ftl().host_blocked() ? 20_us : 0_us;
    }

    std::uint32_t waited = 0;
    for (std::uint32_t i = 0; i < 4000; ++i) {
        REQUIRE(bench.spent(i, Cause::buffer_gc).count() <= (blocked[i] + 40_us).count());
        waited += bench.spent(i, Cause::buffer_gc) > 5_ms ? 1 : 0;  // at least an erase
    }
    CHECK(bench.counters().host_stops > 3);
    CHECK(waited == bench.counters().host_stops);
    CHECK(bench.total(Cause::buffer_media) > 0_us);
}

TEST_CASE("a FUA write that waits for its program says for how long that waited for GC") {
    // Was: the whole wait counted as what held at its end, which is always the media.
    AhciBench bench{drive_that_stops()};
    const std::uint32_t user = bench.ftl().user_sectors();
    Random random{11};
    ftl::InstantFlash{bench.ftl()}.write(0, std::uint64_t{user} * 8);
    bench.closed_loop(0_us, 1, 2000, [&] { return write(random.below(user), 1, true); });

    std::vector<Duration> blocked(2000);
    for (Time now = 0_us; bench.ends.size() < 2000 || bench.ends.back() == kNever; now += 20_us) {
        bench.scheduler.run(now);
        blocked[bench.ends.size() - 1] += bench.ftl().host_blocked() ? 20_us : 0_us;
    }

    std::uint32_t waited = 0;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const Duration gc = bench.spent(i, Cause::buffer_gc);
        REQUIRE(gc.count() <= (blocked[i] + 40_us).count());
        REQUIRE(gc.count() + (40_us).count() >= blocked[i].count());
        REQUIRE(bench.spent(i, Cause::buffer_media).count() >= bench.timing.program(1).count());  // the faster page
        waited += gc > 5_ms ? 1U : 0U;
    }
    CHECK(waited > 3);
}

TEST_CASE("a flush that waits for a superblock says so") {
    AhciBench bench{drive_that_stops()};
    const std::uint32_t user = bench.ftl().user_sectors();
    Random random{11};
    ftl::InstantFlash{bench.ftl()}.write(0, std::uint64_t{user} * 8);
    std::vector<std::uint32_t> flushes;
    Time at = 0_us;
    for (int i = 0; i < 1000; ++i, at += 1_s) {
        bench.issue(at, write(random.below(user)));
        flushes.push_back(bench.issue(at + 1_ms, flush()));
    }

    bench.play();

    std::uint32_t waited = 0;
    for (const std::uint32_t job : flushes) {
        REQUIRE(bench.commands[job].stamps.sum() == bench.latency(job));
        REQUIRE(bench.spent(job, Cause::buffer_media).count() >= bench.timing.program(1).count());
        waited += bench.spent(job, Cause::buffer_gc) > 5_ms ? 1U : 0U;
    }
    CHECK(waited > 3);
}

TEST_CASE("a read whose data is at hand does not wait in DRAM for a write whose data is still on the link") {
    AhciBench bench{{}};

    const std::uint32_t big = bench.issue(0_us, write(0, 32));
    const std::uint32_t job = bench.issue(0_us, read(100));  // never written: nothing to fetch from flash
    bench.play();

    CHECK(bench.spent(job, Cause::dram) == bench.dram_pass(4_KiB));
    CHECK(bench.spent(big, Cause::dram) == bench.dram_pass(128_KiB));
    CHECK(bench.spent(job, Cause::link_back) > 200_us);  // the link it has to wait for
}

TEST_CASE("the causes of every command sum to its latency in a mix of everything") {
    AhciBench bench{drive_that_stops()};
    const std::uint32_t user = bench.ftl().user_sectors();
    Random random{13};
    bench.closed_loop(0_us, 32, 6000, [&] {
        const std::uint64_t lbas = 1 + random.below(100);
        const std::uint64_t first = random.below(std::uint64_t{user} * 8 - lbas);
        const std::uint64_t dice = random.below(10);
        return Ask{dice < 4 ? HostOp::read : HostOp::write, first, lbas, dice == 9};
    });

    bench.play();

    Duration latencies{0};
    Duration causes{0};
    for (std::uint32_t i = 0; i < bench.commands.size(); ++i) {
        REQUIRE(bench.ends[i] != kNever);
        latencies += bench.latency(i);
    }
    for (std::size_t c = 0; c < kCauses; ++c) {
        causes += bench.total(static_cast<Cause>(c));
    }
    CHECK(causes == latencies);
    CHECK(bench.counters().rmw_sectors > 0);
    bench.ftl().check_invariants();
}

TEST_CASE("a full queue of 4 KiB writes to a fresh drive is decoded as fast as one core can") {
    AhciBench bench{{}};
    std::uint64_t sector = 0;
    bench.closed_loop(0_us, 32, 60, [&] { return write(sector++); });  // fewer than the buffer holds

    bench.play();

    const FirmwareParams& fw = bench.params.firmware;
    const Time last = *std::max_element(bench.ends.begin(), bench.ends.end());
    CHECK(last == bench.link.command_length() + 60 * fw.write_command + bench.data_phase(4_KiB) +
                      bench.dram_pass(4_KiB) + fw.completion_latency + bench.link.status_length());
}

}  // namespace
}  // namespace ftlab::controller::testing
