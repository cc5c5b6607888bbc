// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ftlab {

/// An index that cannot be mistaken for an index of another kind.  Default-constructed it is invalid.
template <class Tag, class Rep = std::uint32_t>
struct Id {
    static constexpr Rep kInvalid = std::numeric_limits<Rep>::max();

    Rep value = kInvalid;

    constexpr Id() = default;
    constexpr explicit Id(Rep v) : value{v} {}
    [[nodiscard]] constexpr bool valid() const { return value != kInvalid; }
    [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    friend constexpr auto operator<=>(Id, Id) = default;
};

/// Logical address of the host, in 512 B units.
using Lba = Id<struct LbaTag, std::uint64_t>;
/// Logical page number: the host's address space in 4 KiB sectors, the unit of mapping.
using Lpn = Id<struct LpnTag>;
/// The host's name for a command in flight (its NCQ tag or submission slot).
using CommandId = Id<struct CommandTag>;

}  // namespace ftlab
