// SPDX-License-Identifier: MIT
#include "nand/timing.h"

#include <catch2/catch.hpp>

using namespace ftlab;
using namespace ftlab::nand;
using namespace ftlab::literals;

namespace {

/// Two planes, 16 KiB pages; every bus time different, so that each shows where it enters.
struct Example {
    Geometry geometry;
    CellParams cell;
    BusParams bus;
    Example() {
        geometry.planes = 2;
        bus.rate = {200'000'000};  // 5 ns a byte
        bus.spare = 1280_B;
        bus.cycle = 30_ns;
        bus.address_cycles = 5;
        bus.address_to_data = 300_ns;
        bus.busy_delay = 100_ns;
        bus.status_poll = 250_ns;
        bus.controller_gap = 1_us;
    }
    [[nodiscard]] Timing timing() const { return {geometry, cell, bus}; }
};

}  // namespace

TEST_CASE("a read command costs a command, five addresses and a confirm cycle a plane") {
    const Timing timing = Example{}.timing();

    CHECK(timing.read_command(1) == 7 * 30_ns + 100_ns + 1_us);
    CHECK(timing.read_command(2) == 14 * 30_ns + 100_ns + 1_us);
}

TEST_CASE("data in carries whole pages with their spare area, whatever is in them") {
    const Timing timing = Example{}.timing();

    // (16384 + 1280) bytes x 5 ns
    CHECK(timing.data_in(1) == 7 * 30_ns + 300_ns + 88'320_ns + 100_ns + 250_ns + 1_us);
    CHECK(timing.data_in(2) == 2 * (7 * 30_ns + 300_ns) + 176'640_ns + 100_ns + 250_ns + 1_us);
}

TEST_CASE("data out carries only the sectors that are wanted, each with its share of the spare area") {
    const Timing timing = Example{}.timing();

    // 4096 + 320 bytes a sector.
    const Duration overhead = 7 * 30_ns + 300_ns + 250_ns + 1_us;
    CHECK(timing.data_out(1) == overhead + 22'080_ns);
    CHECK(timing.data_out(3) == overhead + 66'240_ns);
    CHECK(timing.data_out(8) == overhead + 176'640_ns);
}

TEST_CASE("a share of the spare area is rounded up to whole bytes, and a transfer up to whole picoseconds") {
    Example example;
    example.bus.spare = 1281_B;
    example.bus.rate = {300'000'000};

    // 4096 * 17665 / 16384 = 4416.25: 4417 bytes at 3333.3 ps each.
    CHECK(example.timing().data_out(1) == 7 * 30_ns + 300_ns + 250_ns + 1_us + 14'723'334_ps);
}

TEST_CASE("an erase has three row-address cycles a plane and no data") {
    const Timing timing = Example{}.timing();

    CHECK(timing.erase_command(1) == 5 * 30_ns + 100_ns + 250_ns + 1_us);
    CHECK(timing.erase_command(2) == 10 * 30_ns + 100_ns + 250_ns + 1_us);
}

TEST_CASE("the array is busy for as long as the page's kind takes, all planes together") {
    Example example;
    example.cell = {.mode = CellMode::mlc,
                    .read_lsb = 62_us,
                    .read_msb = 80_us,
                    .program_lsb = 450_us,
                    .program_msb = 2670_us,
                    .erase = 5_ms};
    const Timing timing = example.timing();

    CHECK(timing.kind(0) == PageKind::lsb);
    CHECK(timing.read(0) == 62_us);
    CHECK(timing.program(1) == 450_us);
    CHECK(timing.read(2) == 80_us);
    CHECK(timing.program(2) == 2670_us);
    CHECK(timing.program(255) == 2670_us);
    CHECK(timing.erase() == 5_ms);
}

TEST_CASE("a mean MLC program takes the mean of both kinds, since there are as many of each") {
    const Example example;
    const Timing timing = example.timing();
    Duration sum{0};
    for (std::uint32_t page = 0; page < 256; ++page) {
        sum += timing.program(page);
    }

    CHECK(sum == 128 * (example.cell.program_lsb + example.cell.program_msb));
}

TEST_CASE("a faster bus shortens transfers and nothing else") {
    Example slow;
    Example fast;
    fast.bus.rate = {400'000'000};

    CHECK(slow.timing().data_in(2) - fast.timing().data_in(2) == 88'320_ns);
    CHECK(slow.timing().read_command(2) == fast.timing().read_command(2));
    CHECK(slow.timing().program(7) == fast.timing().program(7));
}

TEST_CASE("MSB pages that program faster than LSB pages are refused, in MLC") {
    const auto read = [](const char* yaml) { return config::load_text<CellParams>(yaml); };

    CHECK_THROWS_WITH(read("{program_lsb: 3 ms, program_msb: 1 ms}"),
                      Catch::Contains("program_lsb") && Catch::Contains("exchange"));
    CHECK_NOTHROW(read("{mode: slc, program_lsb: 3 ms, program_msb: 1 ms}"));
}
