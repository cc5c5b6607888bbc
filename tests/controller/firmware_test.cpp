// SPDX-License-Identifier: MIT
#include "controller/firmware/firmware.h"

#include <catch2/catch.hpp>

#include "sim/base/units.h"
#include "tests/controller/fresh_kernel.h"

namespace ftlab::controller {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)

/// Every cost differs, so that no test can pass on the wrong one.
FirmwareParams distinct_costs() {
    FirmwareParams p;
    p.read_command = 10_us;
    p.write_command = 20_us;
    p.other_command = 30_us;
    p.extra_read_sector = 1_us;
    p.extra_write_sector = 2_us;
    p.program_sector = 3_us;
    p.move_sector = 5_us;
    p.decode_latency = 7_us;
    p.completion_latency = 11_us;
    return p;
}

struct FirmwareBench {
    explicit FirmwareBench(const FirmwareParams& params) : firmware{"firmware", params} {}
    FreshKernel kernel;
    Firmware firmware;
};

TEST_CASE("a task costs what its kind and its sectors say") {
    FirmwareBench bench{distinct_costs()};
    Firmware& fw = bench.firmware;

    CHECK(fw.decode_read(0_us, 1) == 10_us + 7_us);
    CHECK(fw.decode_read(1_ms, 32) == 1_ms + 41_us + 7_us);
    CHECK(fw.decode_write(2_ms, 1) == 2_ms + 20_us + 7_us);
    CHECK(fw.decode_write(3_ms, 32) == 3_ms + 82_us + 7_us);
    CHECK(fw.decode_other(4_ms) == 4_ms + 30_us + 7_us);
    CHECK(fw.build_program(5_ms, false, 8) == 5_ms + 24_us);
    CHECK(fw.build_program(6_ms, true, 8) == 6_ms + 40_us);
    CHECK(fw.completion_latency() == 11_us);
}

TEST_CASE("a core does one task at a time in order of arrival") {
    FirmwareParams params = distinct_costs();
    params.decode_latency = 0_us;
    FirmwareBench bench{params};
    Firmware& fw = bench.firmware;

    CHECK(fw.decode_write(100_us, 1) == 120_us);
    CHECK(fw.decode_read(100_us, 1) == 130_us);
    CHECK(fw.decode_read(130_us - 1_ps, 1) == 140_us);
    CHECK(fw.decode_read(140_us, 1) == 150_us);
    CHECK(fw.decode_read(200_us, 1) == 210_us);
}

TEST_CASE("latency delays a command but keeps no core from the next one") {
    FirmwareBench bench{distinct_costs()};
    Firmware& fw = bench.firmware;

    const Time first = fw.decode_write(0_us, 1);
    const Time second = fw.decode_write(0_us, 1);

    CHECK(first == 20_us + 7_us);
    CHECK(second == 40_us + 7_us);
    CHECK(fw.busy(0) == 40_us);
}

TEST_CASE("commands and program units do not wait for each other on two cores") {
    FirmwareBench bench{distinct_costs()};
    Firmware& fw = bench.firmware;

    const Time decoded = fw.decode_write(0_us, 1);
    const Time built = fw.build_program(0_us, false, 8);

    CHECK(decoded == 27_us);
    CHECK(built == 24_us);
    CHECK(fw.busy(0) == 20_us);
    CHECK(fw.busy(1) == 24_us);
}

TEST_CASE("on a single core commands and program units queue for each other") {
    FirmwareParams params = distinct_costs();
    params.cores = 1;
    params.front_core = params.back_core = 0;
    FirmwareBench bench{params};
    Firmware& fw = bench.firmware;

    const Time decoded = fw.decode_write(0_us, 1);
    const Time built = fw.build_program(0_us, true, 8);
    const Time next = fw.decode_read(0_us, 1);

    CHECK(decoded == 20_us + 7_us);
    CHECK(built == 60_us);
    CHECK(next == 70_us + 7_us);
    CHECK(fw.busy(0) == 70_us);
}

}  // namespace
}  // namespace ftlab::controller
