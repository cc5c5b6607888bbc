// SPDX-License-Identifier: MIT
#include "sim/base/id.h"

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <catch2/catch.hpp>

using namespace ftlab;

static_assert(!std::is_convertible_v<std::uint32_t, Lpn>, "a bare number is no address");
static_assert(!std::is_convertible_v<Lpn, std::uint32_t>, "an address is no bare number");
static_assert(!std::is_convertible_v<Lpn, CommandId> && !std::is_constructible_v<Lpn, CommandId>,
              "an address is not a command, though both are 32 bits wide");
static_assert(!std::equality_comparable_with<Lpn, CommandId>);
static_assert(sizeof(Lpn) == 4 && sizeof(Lba) == 8 && std::is_trivially_copyable_v<Lpn>,
              "tables of ids cost what tables of integers cost");

TEST_CASE("an id that nobody set is invalid, and zero is a valid id") {
    CHECK_FALSE(Lpn{}.valid());
    CHECK_FALSE(Lba{}.valid());
    CHECK(Lpn{0}.valid());
    CHECK(Lpn{} == Lpn{Lpn::kInvalid});
}

TEST_CASE("ids of one kind order like their numbers, the invalid one last") {
    CHECK(Lpn{1} < Lpn{2});
    CHECK(Lpn{2} == Lpn{2});
    CHECK(Lpn{0xfffffffe} < Lpn{});
    CHECK(Lba{std::uint64_t{1} << 40U}.index() == std::size_t{1} << 40U);
}
