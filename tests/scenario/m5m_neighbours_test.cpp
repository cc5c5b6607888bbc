// SPDX-License-Identifier: MIT
//
// How far the calibration of the Plextor M5M is a matter of luck: parameters that should not matter are moved to the
// ends of their ranges (feasibility study, section 2), and each published figure must stay within its tolerance.  The
// figures themselves stand in configs/README.md.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/scenario/program.h"

namespace ftlab::test {

namespace {

struct Neighbour {
    std::string what;
    std::vector<std::string> settings;
};

std::vector<Neighbour> neighbours() {
    const std::string ftl = "device.ftl.";
    const std::string cell = "device.nand.cell.";
    const std::string bus = "device.nand.bus.";
    const std::string geometry = "device.nand.geometry.";
    const std::string flash = "device.controller.flash.";
    return {
        {"another seed", {"seed=2"}},
        {"small write buffer", {ftl + "write_buffer.size=4MiB"}},
        {"large write buffer", {ftl + "write_buffer.size=64MiB"}},
        {"larger debt limit", {ftl + "gc.debt_limit=1024"}},
        {"short queue per die", {flash + "programs_per_die=2"}},
        {"long queue per die", {flash + "programs_per_die=6"}},
        {"no cache program", {flash + "cache_program=false"}},
        {"cache read", {flash + "cache_read=true"}},
        {"slow erase", {cell + "erase=10ms"}},
        {"slow bus", {bus + "rate=133MB/s"}},
        {"slower bus", {bus + "rate=166MB/s"}},
        {"faster bus", {bus + "rate=250MB/s"}},
        {"less LSB and MSB spread", {cell + "program_lsb=900us", cell + "program_msb=2300us"}},
        {"no LSB and MSB spread", {cell + "program_lsb=1600us", cell + "program_msb=1600us"}},
        {"eight channels", {geometry + "channels=8", geometry + "dies_per_channel=4"}},
    };
}

/// Far from one stripe, the debt limit matters to the swing of the drive with spare area, and to nothing else.
std::vector<Neighbour> extreme_debt_limits() {
    return {{"least debt limit", {"device.ftl.gc.debt_limit=64"}},
            {"largest debt limit", {"device.ftl.gc.debt_limit=4096"}}};
}

void check(const std::string& scenario, const std::vector<Neighbour>& neighbours) {
    const ScratchFolder folder;
    for (const Neighbour& neighbour : neighbours) {
        std::string command = "ftlab run " + scenario;
        for (const std::string& setting : neighbour.settings) {
            command += " --set " + setting;
        }

        const Outcome run = shell(folder, command);

        INFO(neighbour.what << '\n' << run.out << run.err);
        CHECK(run.code == 0);
    }
}

}  // namespace

TEST_CASE("the M5M stops and goes whatever the parameters that should not matter", "[long]") {
    check("m5m-consistency", neighbours());
    check("m5m-consistency", extreme_debt_limits());
}

TEST_CASE("the M5M with a quarter unused never stops whatever the parameters that should not matter", "[long]") {
    check("m5m-consistency-25pct", neighbours());
}

}  // namespace ftlab::test
