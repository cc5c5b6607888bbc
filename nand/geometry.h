// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/config.h"
#include "sim/base/id.h"
#include "sim/base/units.h"

namespace ftlab::nand {

/// A die (LUN), numbered channel first: die d hangs on channel d % channels, so that consecutive dies never share a
/// bus.
using DieId = Id<struct DieTag, std::uint16_t>;

/// Most planes of a die that one multi-plane operation can span.
inline constexpr std::uint32_t kMaxPlanes = 8;

/// How many of everything the flash has.  A *page* is what one plane programs at once; a *program unit* is the
/// multi-plane page: the same page of every plane of a die.
struct Geometry {
    std::uint32_t channels = 4;
    std::uint32_t dies_per_channel = 8;
    std::uint32_t planes = 2;
    std::uint32_t blocks_per_plane = 1065;
    std::uint32_t nominal_blocks_per_plane = 1024;
    std::uint32_t pages_per_block = 256;
    Bytes page_size{16384};
    Ratio factory_bad{0.0};

    static void describe(config::Fields<Geometry>& f);

    [[nodiscard]] std::uint32_t dies() const { return channels * dies_per_channel; }
    /// Planes of all dies together: the width of a superblock in blocks.
    [[nodiscard]] std::uint32_t lanes() const { return dies() * planes; }
    [[nodiscard]] std::uint32_t sectors_per_page() const { return static_cast<std::uint32_t>(page_size / kSectorSize); }
    [[nodiscard]] std::uint32_t sectors_per_unit() const { return planes * sectors_per_page(); }
    [[nodiscard]] std::uint32_t sectors_per_block() const { return pages_per_block * sectors_per_page(); }
    /// What the data sheet sells: nominal blocks only, without the extended ones that replace bad blocks.
    [[nodiscard]] Bytes nominal_capacity() const {
        return page_size * pages_per_block * nominal_blocks_per_plane * lanes();
    }
    [[nodiscard]] Bytes physical_capacity() const { return page_size * pages_per_block * blocks_per_plane * lanes(); }
    [[nodiscard]] std::uint32_t channel_of(DieId die) const { return die.value % channels; }
};

/// Where one flash operation acts: the same page of one block in each of the first `planes` planes of a die.
/// Blocks of different planes may differ, because bad ones are replaced plane by plane.
struct MultiPlaneAddress {
    DieId die;
    std::uint16_t page = 0;
    std::uint16_t planes = 0;
    std::array<std::uint16_t, kMaxPlanes> block{};
};

}  // namespace ftlab::nand
