// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <new>

#include <catch2/catch.hpp>

#include "controller/link/sata_link.h"
#include "sim/base/units.h"
#include "tests/controller/fresh_kernel.h"

namespace ftlab::controller {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)

struct LinkBench {
    explicit LinkBench(const SataParams& params = {}) : link{"link", params} {}
    FreshKernel kernel;
    SataLink link;
};

TEST_CASE("a frame takes its payload at the line rate and its handshakes") {
    SataParams params;
    params.rate = Bandwidth{300'000'000};
    params.frame_overhead = 1_us;
    params.data_frame_overhead = 2_us;
    LinkBench bench{params};

    // 20 B are 66,667 ps at 300 MB/s, rounded up; two register FISes open a command.
    CHECK(bench.link.command_length() == 2 * (66'667_ps + 1_us));
    CHECK(bench.link.status_length() == 26'667_ps + 1_us);
    // 4096 B and eight ALIGN dwords.
    CHECK(bench.link.data_length(4_KiB) == 13'760_ns + 2_us);
}

TEST_CASE("the length of 4 KiB of data does not depend on what memory held before") {
    // Was: the cached length was read before it was set, and kept when it was not zero by chance.
    const FreshKernel kernel;
    alignas(SataLink) std::array<std::byte, sizeof(SataLink)> memory;
    memory.fill(std::byte{0x11});

    SataLink* link = new (memory.data()) SataLink{"link", {}};

    CHECK(link->data_length(4_KiB) == transfer_time(4_KiB + 32_B, Bandwidth{600'000'000}) + 1300_ns);
    link->~SataLink();
}

TEST_CASE("data is cut into frames of at most 8 KiB, each with its own turnaround") {
    LinkBench bench;
    const auto overhead = [&](Bytes size) {
        return bench.link.data_length(size) -
               transfer_time(size + Bytes{size.count / 1024 * 8}, Bandwidth{600'000'000});
    };

    CHECK(overhead(512_B) == 1300_ns);
    CHECK(overhead(4_KiB) == 1300_ns);
    CHECK(overhead(8_KiB) == 1300_ns);
    CHECK(overhead(8_KiB + 512_B) == 2600_ns);
    CHECK(overhead(128_KiB) == 16 * 1300_ns);
}

TEST_CASE("a 6 Gb/s link streams 128 KiB commands at 541 MB/s, as drives.md B4 computes") {
    LinkBench bench;

    Time now{0};
    for (int i = 0; i < 1000; ++i) {
        now = bench.link.command(now);
        now = bench.link.data(now, 128_KiB);
        now = bench.link.status(now);
    }

    CHECK(131.072 / to_seconds(now) == Approx(541.2).margin(0.2));
    CHECK(bench.link.busy() == now);
}

TEST_CASE("the link carries one frame at a time in either direction, first come first served") {
    LinkBench bench;
    const Duration command = bench.link.command_length();
    const Duration status = bench.link.status_length();

    CHECK(bench.link.command(10_us) == 10_us + command);
    CHECK(bench.link.status(10_us) == 10_us + command + status);
    CHECK(bench.link.command(10_us + command + status - 1_ps) == 10_us + 2 * command + status);
    CHECK(bench.link.status(50_us) == 50_us + status);
    CHECK(bench.link.busy() == 2 * (command + status));
}

}  // namespace
}  // namespace ftlab::controller
