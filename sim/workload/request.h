// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/id.h"
#include "sim/base/units.h"

namespace ftlab::workload {

/// What a host can ask of a drive.
enum class Op : std::uint8_t { read, write, trim, flush };

inline constexpr std::array kOps{Op::read, Op::write, Op::trim, Op::flush};

constexpr std::string_view name_of(Op op) {
    switch (op) {
        case Op::read:
            return "read";
        case Op::write:
            return "write";
        case Op::trim:
            return "trim";
        case Op::flush:
            return "flush";
    }
    return "?";
}

/// One request of the host.  A trim has one range; a flush has none (lbas == 0).
struct Request {
    Time arrival{0};         ///< since the first request of the source; zero from sources without arrival times
    Lba first{0};            ///< in 512 B units, as `lbas`
    std::uint64_t lbas = 0;  ///< 64 bits because one trim may cover more than 2 TiB
    Op op = Op::read;
    bool fua = false;  ///< acknowledged only once it is on the media; writes only

    [[nodiscard]] constexpr std::uint64_t end() const { return first.value + lbas; }
    [[nodiscard]] constexpr Bytes size() const { return kLbaSize * lbas; }
    friend constexpr bool operator==(const Request&, const Request&) = default;
};

/// A run of logical addresses.
struct Span {
    Lba first{0};
    std::uint64_t lbas = 0;

    [[nodiscard]] constexpr std::uint64_t end() const { return first.value + lbas; }
    friend constexpr bool operator==(const Span&, const Span&) = default;
};

}  // namespace ftlab::workload
