// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace ftlab::ftl {

/// Who pays for a flash operation, or for a sector in it.
enum class Origin : std::uint8_t { host, gc, wear, mapping, refresh, slc_fold, rmw, padding, recovery };

inline constexpr std::size_t kOrigins = 9;
inline constexpr std::array<const char*, kOrigins> kOriginNames{"host",     "gc",  "wear",    "mapping", "refresh",
                                                                "slc_fold", "rmw", "padding", "recovery"};

/// A counter for each origin.
struct ByOrigin {
    std::array<std::uint64_t, kOrigins> value{};

    std::uint64_t& operator[](Origin o) { return value[static_cast<std::size_t>(o)]; }
    const std::uint64_t& operator[](Origin o) const { return value[static_cast<std::size_t>(o)]; }
    [[nodiscard]] std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t v : value) {
            sum += v;
        }
        return sum;
    }
    friend ByOrigin operator-(ByOrigin a, const ByOrigin& b) {
        for (std::size_t i = 0; i < kOrigins; ++i) {
            a.value[i] -= b.value[i];
        }
        return a;
    }
};

}  // namespace ftlab::ftl
