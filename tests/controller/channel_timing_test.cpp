// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

#include "sim/base/units.h"
#include "tests/controller/channel_bench.h"

namespace ftlab::controller::testing {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)
using ftl::OpKind;

constexpr std::uint16_t kLsb = 1;  // pages of 19 nm MLC: odd ones are LSB, even ones MSB
constexpr std::uint16_t kMsb = 4;

Job read(Time at, std::uint32_t die = 0, std::uint16_t page = kLsb) {
    return {.at = at, .die = die, .kind = OpKind::read, .page = page};
}
Job program(Time at, std::uint32_t die = 0, std::uint16_t page = kLsb) {
    return {.at = at, .die = die, .kind = OpKind::program, .page = page, .sectors = 8, .planes = 2};
}
Job erase(Time at, std::uint32_t die = 0) {
    return {.at = at, .die = die, .kind = OpKind::erase, .sectors = 0, .planes = 2};
}

/// The lengths that the tests add up, all different.
struct Lengths {
    explicit Lengths(const ChannelBench& bench)
        : read_command{bench.timing().read_command(1)},
          data_out{bench.timing().data_out(1)},
          data_in{bench.timing().data_in(2)},
          erase_command{bench.timing().erase_command(2)} {}
    Duration read_command, data_out, data_in, erase_command;
    Duration read_lsb = 62_us, read_msb = 80_us;
    Duration program_lsb = 450_us, program_msb = 2670_us;
    Duration erase = 5000_us;
    Duration ecc = 2_us;
};

TEST_CASE("a lone read takes command, tR, data out and ECC to the picosecond") {
    const auto [page, sense] = GENERATE(std::pair{kLsb, 62_us}, std::pair{kMsb, 80_us});
    ChannelBench bench{{}};
    const Lengths t{bench};

    const std::uint32_t job = bench.add(read(10_us, 0, page));

    CHECK(bench.ends_at(job, 10_us + t.read_command + sense + t.data_out + t.ecc));
}

TEST_CASE("a lone program takes data in and the tPROG of its page") {
    const auto [page, taken] = GENERATE(std::pair{kLsb, 450_us}, std::pair{kMsb, 2670_us});
    ChannelBench bench{{}};
    const Lengths t{bench};

    const std::uint32_t job = bench.add(program(10_us, 0, page));

    CHECK(bench.ends_at(job, 10_us + t.data_in + taken));
}

TEST_CASE("a lone erase takes its command and tBERS") {
    ChannelBench bench{{}};
    const Lengths t{bench};

    const std::uint32_t job = bench.add(erase(10_us));

    CHECK(bench.ends_at(job, 10_us + t.erase_command + t.erase));
}

TEST_CASE("data for a second die moves exactly when the first die's has, and both dies program at once") {
    ChannelBench bench{{.dies = 2}};
    const Lengths t{bench};

    const std::uint32_t first = bench.add(program(0_us, 0));
    const std::uint32_t second = bench.add(program(0_us, 1));

    CHECK(bench.ends_at(first, t.data_in + t.program_lsb));
    CHECK(bench.ends_at(second, 2 * t.data_in + t.program_lsb));
}

TEST_CASE("two dies sense at once and share the bus for commands and data") {
    ChannelBench bench{{.dies = 2}};
    const Lengths t{bench};

    const std::uint32_t first = bench.add(read(0_us, 0));
    const std::uint32_t second = bench.add(read(0_us, 1));

    const Time data_of_first = t.read_command + t.read_lsb + t.data_out;
    CHECK(bench.ends_at(first, data_of_first + t.ecc));
    CHECK(bench.ends_at(second, std::max(data_of_first, 2 * t.read_command + t.read_lsb) + t.data_out + t.ecc));
}

TEST_CASE(
    "an operation that arrives when the bus falls idle begins at once, one that arrives before waits until then") {
    const Duration early = GENERATE(0_ps, 1_ps, 1_us);
    ChannelBench bench{{.dies = 2}};
    const Lengths t{bench};

    bench.add(program(0_us, 0));
    const std::uint32_t second = bench.add(program(t.data_in - early, 1));

    CHECK(bench.ends_at(second, 2 * t.data_in + t.program_lsb));
}

TEST_CASE("without cache read the array senses the next page only after the data of the last one has left") {
    ChannelBench bench{{}};
    const Lengths t{bench};

    const std::uint32_t first = bench.add(read(0_us));
    const std::uint32_t second = bench.add(read(0_us));

    const Duration one = t.read_command + t.read_lsb + t.data_out;
    CHECK(bench.ends_at(first, one + t.ecc));
    CHECK(bench.ends_at(second, 2 * one + t.ecc));
}

TEST_CASE("without cache read the next command keeps its place before what other dies ask for during the data") {
    ChannelBench bench{{.dies = 2}};
    const Lengths t{bench};
    Job whole = read(0_us);
    whole.sectors = 8;

    bench.add(whole);
    const std::uint32_t second = bench.add(read(0_us));
    const std::uint32_t other = bench.add(program(90_us, 1));

    const Time first_out = t.read_command + t.read_lsb + bench.timing().data_out(8);
    REQUIRE(first_out > 90_us);
    REQUIRE(t.read_lsb < t.data_in);
    CHECK(bench.ends_at(second, first_out + t.read_command + t.data_in + t.data_out + t.ecc));
    CHECK(bench.ends_at(other, first_out + t.read_command + t.data_in + t.program_lsb));
}

TEST_CASE("with cache read the array senses the next page while the last one is read out") {
    // Was: the next command queued behind the data on the bus, so that sensing overlapped nothing.
    const auto sectors = GENERATE(std::uint16_t{1}, std::uint16_t{8});  // data out is shorter, or longer, than tR
    ChannelSpec spec;
    spec.flash.cache_read = true;
    ChannelBench bench{spec};
    const Lengths t{bench};
    Job whole = read(0_us);
    whole.sectors = sectors;
    const Duration data_out = bench.timing().data_out(sectors);

    const std::uint32_t first = bench.add(whole);
    const std::uint32_t second = bench.add(whole);
    const std::uint32_t third = bench.add(whole);

    const Duration cycle = t.read_command + std::max(t.read_lsb, data_out);
    CHECK(bench.ends_at(first, 2 * t.read_command + t.read_lsb + data_out + t.ecc));
    CHECK(bench.ends_at(second, t.read_command + t.read_lsb + cycle + t.read_command + data_out + t.ecc));
    CHECK(bench.ends_at(third, t.read_command + t.read_lsb + 2 * cycle + data_out + t.ecc));
}

TEST_CASE("a read that comes too late to be chained follows the data of the last one, with cache read or without") {
    ChannelSpec spec;
    spec.flash.cache_read = GENERATE(false, true);
    ChannelBench bench{spec};
    const Lengths t{bench};
    const Time sensed = t.read_command + t.read_lsb;

    const std::uint32_t first = bench.add(read(0_us));
    const std::uint32_t second = bench.add(read(sensed + 1_us));

    CHECK(bench.ends_at(first, sensed + t.data_out + t.ecc));
    CHECK(bench.ends_at(second, sensed + t.data_out + sensed + t.data_out + t.ecc));
}

TEST_CASE("with cache program the next data moves in while the array programs") {
    ChannelBench bench{{}};
    const Lengths t{bench};

    const std::uint32_t first = bench.add(program(0_us, 0, kMsb));
    const std::uint32_t second = bench.add(program(0_us, 0, kLsb));
    const std::uint32_t third = bench.add(program(0_us, 0, kMsb));

    CHECK(bench.ends_at(first, t.data_in + t.program_msb));
    CHECK(bench.ends_at(second, t.data_in + t.program_msb + t.program_lsb));
    CHECK(bench.ends_at(third, t.data_in + 2 * t.program_msb + t.program_lsb));
}

TEST_CASE("without cache program the next data moves in after the program") {
    ChannelSpec spec;
    spec.flash.cache_program = false;
    ChannelBench bench{spec};
    const Lengths t{bench};

    const std::uint32_t first = bench.add(program(0_us));
    const std::uint32_t second = bench.add(program(0_us));

    CHECK(bench.ends_at(first, t.data_in + t.program_lsb));
    CHECK(bench.ends_at(second, 2 * (t.data_in + t.program_lsb)));
}

TEST_CASE("where data in is slower than the array, cached programs run at the speed of the bus") {
    ChannelSpec spec;
    spec.cell.program_lsb = 50_us;
    ChannelBench bench{spec};
    const Lengths t{bench};
    REQUIRE(t.data_in > 50_us);

    const std::uint32_t first = bench.add(program(0_us));
    const std::uint32_t second = bench.add(program(0_us));
    const std::uint32_t third = bench.add(program(0_us));

    CHECK(bench.ends_at(first, t.data_in + 50_us));
    CHECK(bench.ends_at(second, 2 * t.data_in + 50_us));
    CHECK(bench.ends_at(third, 3 * t.data_in + 50_us));
}

TEST_CASE("a read overtakes a waiting program, but no more reads in a row than allowed") {
    const std::uint32_t in_a_row = GENERATE(1, 4);
    ChannelSpec spec;
    spec.flash.reads_in_a_row = in_a_row;
    ChannelBench bench{spec};
    const Lengths t{bench};

    bench.add(erase(0_us));
    const std::uint32_t write = bench.add(program(1_us));
    std::array<std::uint32_t, 6> reads{};
    for (std::uint32_t& id : reads) {
        id = bench.add(read(2_us));
    }

    const Time erased = t.erase_command + t.erase;
    const Duration one = t.read_command + t.read_lsb + t.data_out;
    const Time written = erased + in_a_row * one + t.data_in + t.program_lsb;
    CHECK(bench.ends_at(reads[in_a_row - 1], erased + in_a_row * one + t.ecc));
    CHECK(bench.ends_at(write, written));
    CHECK(bench.ends_at(reads[in_a_row], written + one + t.ecc));
}

TEST_CASE("a read that comes while a die programs waits for the array, not for programs behind it") {
    ChannelBench bench{{}};
    const Lengths t{bench};

    const std::uint32_t first = bench.add(program(0_us));
    const std::uint32_t overtaken = bench.add(erase(1_us));
    const std::uint32_t job = bench.add(read(2_us));

    const Time programmed = t.data_in + t.program_lsb;
    const Time sensed = programmed + t.read_command + t.read_lsb;
    CHECK(bench.ends_at(first, programmed));
    CHECK(bench.ends_at(job, sensed + t.data_out + t.ecc));
    CHECK(bench.ends_at(overtaken, sensed + t.data_out + t.erase_command + t.erase));
    CHECK(bench.flight(job).die_wait == programmed - 2_us);
}

TEST_CASE("programs and erases of a die keep their order") {
    ChannelBench bench{{}};
    const Lengths t{bench};

    const std::uint32_t a = bench.add(program(0_us));
    const std::uint32_t b = bench.add(erase(0_us));
    const std::uint32_t c = bench.add(program(0_us));

    const Time erased = t.data_in + t.program_lsb + t.erase_command + t.erase;
    CHECK(bench.ends_at(a, t.data_in + t.program_lsb));
    CHECK(bench.ends_at(b, erased));
    CHECK(bench.ends_at(c, erased + t.data_in + t.program_lsb));
}

TEST_CASE("the bus serves first come first served, or reads first") {
    const bool reads_first = GENERATE(false, true);
    ChannelSpec spec{.dies = 4};
    spec.flash.bus_reads_first = reads_first;
    ChannelBench bench{spec};
    const Lengths t{bench};

    bench.add(program(0_us, 0));
    bench.add(program(0_us, 1));
    const std::uint32_t last = bench.add(program(0_us, 2));
    const std::uint32_t job = bench.add(read(1_us, 3));

    REQUIRE(t.read_lsb < t.data_in);
    if (reads_first) {
        // The command goes before the second die's data, the data out before the third's.
        CHECK(bench.ends_at(job, 2 * t.data_in + t.read_command + t.data_out + t.ecc));
        CHECK(bench.ends_at(last, 3 * t.data_in + t.read_command + t.data_out + t.program_lsb));
    } else {
        CHECK(bench.ends_at(job, 3 * t.data_in + t.read_command + t.read_lsb + t.data_out + t.ecc));
        CHECK(bench.ends_at(last, 3 * t.data_in + t.program_lsb));
    }
}

TEST_CASE("where reads go first, a page that leaves the array as the bus falls idle goes before waiting data in") {
    // Was: which of the two went first depended on which had begun to wait first.
    const Time other_comes = GENERATE(100_us, 200_us);  // before or after the second page waits for the register
    ChannelSpec spec{.dies = 2};
    spec.flash.bus_reads_first = true;
    spec.flash.cache_read = true;
    ChannelBench bench{spec};
    const Lengths t{bench};
    Job whole = read(0_us);
    whole.sectors = 8;

    bench.add(whole);
    const std::uint32_t second = bench.add(read(0_us));
    const std::uint32_t other = bench.add(program(other_comes, 1));

    const Time second_sensed = 2 * (t.read_command + t.read_lsb);
    const Time first_out = 2 * t.read_command + t.read_lsb + bench.timing().data_out(8);
    REQUIRE((second_sensed > 100_us && second_sensed < 200_us));
    REQUIRE(first_out > 200_us);
    CHECK(bench.ends_at(second, first_out + t.data_out + t.ecc));
    CHECK(bench.ends_at(other, first_out + t.data_out + t.data_in + t.program_lsb));
}

TEST_CASE("busy times are the sums of transfers and of array operations") {
    ChannelBench bench{{.dies = 2}};
    const Lengths t{bench};

    bench.add(read(0_us, 0, kMsb));
    bench.add(program(0_us, 0));
    bench.add(program(0_us, 1, kMsb));
    bench.add(erase(5_us, 1));
    bench.play();

    CHECK(bench.channel().bus_busy() == t.read_command + t.data_out + 2 * t.data_in + t.erase_command);
    CHECK(bench.channel().array_busy() == t.read_msb + t.program_lsb + t.program_msb + t.erase);
}

TEST_CASE("a quiet channel spends two events on a read and one on a program or an erase") {
    const auto [kind, events] =
        GENERATE(std::pair{OpKind::read, 2U}, std::pair{OpKind::program, 1U}, std::pair{OpKind::erase, 1U});
    ChannelBench bench{{}};

    bench.add({.kind = kind, .page = kLsb});
    bench.play();

    CHECK(bench.events() == 1 + events);  // the first is the test's own
}

}  // namespace
}  // namespace ftlab::controller::testing
