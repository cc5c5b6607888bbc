// SPDX-License-Identifier: MIT
#include "ftl/valid_sectors.h"

#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"

using namespace ftlab;
using namespace ftlab::ftl;

TEST_CASE("which sectors are valid is read and written at any offset and length up to a word") {
    constexpr std::uint32_t kSectors = 300;
    ValidSectors valid{kSectors};
    std::vector<bool> model(kSectors);
    Random draw = RandomStreams{1}.stream("test");

    for (int step = 0; step < 2000; ++step) {
        const auto count = static_cast<std::uint32_t>(draw.below(ValidSectors::kWordBits)) + 1;
        const auto first = static_cast<std::uint32_t>(draw.below(kSectors - count + 1));
        const std::uint64_t wanted = draw.next() & (~std::uint64_t{0} >> (ValidSectors::kWordBits - count));
        if (draw.below(2) == 0) {
            valid.set(Ppa{first}, wanted);
            for (std::uint32_t i = 0; i < count; ++i) {
                model[first + i] = model[first + i] || ((wanted >> i) & 1U) != 0;
            }
        } else {
            for (std::uint32_t i = 0; i < count; ++i) {
                valid.clear(Ppa{first + i});
                model[first + i] = false;
            }
        }

        const auto from = static_cast<std::uint32_t>(draw.below(kSectors - ValidSectors::kWordBits + 1));
        const std::uint64_t got = valid.bits(Ppa{from}, ValidSectors::kWordBits);
        for (std::uint32_t i = 0; i < ValidSectors::kWordBits; ++i) {
            REQUIRE((((got >> i) & 1U) != 0) == model[from + i]);
            REQUIRE(valid.test(Ppa{from + i}) == model[from + i]);
        }
    }
}
