// SPDX-License-Identifier: MIT
#include "sim/base/units.h"

#include <catch2/catch.hpp>

using namespace ftlab;
using namespace ftlab::literals;

TEST_CASE("a transfer takes its bytes over the rate, rounded up to the next picosecond") {
    CHECK(transfer_time(4_KiB, Bandwidth{4'096'000'000}) == 1_us);
    CHECK(transfer_time(1_B, Bandwidth{3}) == Time{333'333'333'334});
    CHECK(transfer_time(2_B, Bandwidth{3}) == Time{666'666'666'667});
    CHECK(transfer_time(3_B, Bandwidth{3}) == 1_s);
    CHECK(transfer_time(1_B, Bandwidth{2'000'000'000'000}) == 1_ps);
}

TEST_CASE("transferring nothing takes no time") { CHECK(transfer_time(0_B, Bandwidth{1}) == Time{0}); }

TEST_CASE("a transfer of terabytes does not overflow") {
    CHECK(transfer_time(Bytes{1'000'000'000'000}, Bandwidth{600'000'000}) == Time{1'666'666'666'666'667});
    CHECK(transfer_time(Bytes{9'000'000}, Bandwidth{1}) == 9'000'000_s);  // 2^63 ps end after 9.2 million seconds
}
