// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nand/geometry.h"
#include "sim/base/huge_array.h"
#include "sim/base/random.h"

namespace ftlab::nand {

/// What the out-of-band area of a sector says when the sector was never programmed or holds padding.
inline constexpr std::uint32_t kNoLpn = 0xffffffffU;

/// The durable state of the flash: which pages of each block are programmed, how often it was erased, which blocks are
/// bad, and the out-of-band data: the logical page of each sector and a sequence number for each program.
///
/// Invariants, checked at every operation:
/// (1) the pages of a block are programmed once each, in ascending order, between two erases;
/// (2) bad blocks are neither programmed nor erased.
///
/// Out-of-band data lies block-index major, then page, die, plane, sector: the order in which a superblock is written
/// and collected, so that both run through memory sequentially.  It takes 4 bytes a sector and 8 bytes a program unit.
class Array {
public:
    Array(const Geometry& geometry, const RandomStreams& random);

    [[nodiscard]] const Geometry& geometry() const { return geometry_; }

    [[nodiscard]] bool is_bad(DieId die, std::uint32_t plane, std::uint32_t block) const {
        return (flags_[block_index(die, plane, block)] & kBad) != 0;
    }
    [[nodiscard]] std::uint32_t erase_count(DieId die, std::uint32_t plane, std::uint32_t block) const {
        return erase_counts_[block_index(die, plane, block)];
    }
    /// The page that the next program of the block must address; pages_per_block when the block is full.
    [[nodiscard]] std::uint32_t next_page(DieId die, std::uint32_t plane, std::uint32_t block) const {
        return next_pages_[block_index(die, plane, block)];
    }

    /// Programs one page in each plane of `where`; `lpns` holds sectors_per_page() entries a plane, plane by plane.
    void program(const MultiPlaneAddress& where, std::span<const std::uint32_t> lpns, std::uint64_t sequence);
    /// Erases one block in each plane of `where`; its page does not matter.
    void erase(const MultiPlaneAddress& where);

    /// The out-of-band lpns of one page: sectors_per_page() entries.  Meaningful for programmed pages only.
    [[nodiscard]] const std::uint32_t* oob(DieId die,
                                           std::uint32_t plane,
                                           std::uint32_t block,
                                           std::uint32_t page) const {
        return lpns_.data() + oob_index(die, plane, block, page);
    }
    /// The sequence number of the program that wrote the multi-plane page whose first plane lies at this address.
    [[nodiscard]] std::uint64_t sequence(DieId die, std::uint32_t block, std::uint32_t page) const {
        return sequences_[(static_cast<std::size_t>(block) * pages_ + page) * dies_ + die.index()];
    }

private:
    static constexpr std::uint8_t kBad = 1;

    [[nodiscard]] std::size_t block_index(DieId die, std::uint32_t plane, std::uint32_t block) const {
        return (die.index() * planes_ + plane) * blocks_ + block;
    }
    [[nodiscard]] std::size_t oob_index(DieId die, std::uint32_t plane, std::uint32_t block, std::uint32_t page) const {
        return ((static_cast<std::size_t>(block) * pages_ + page) * lanes_ + die.index() * planes_ + plane) * sectors_;
    }

    Geometry geometry_;
    std::uint32_t planes_, blocks_, pages_, dies_, lanes_, sectors_;  // of geometry_, near the hot path
    std::vector<std::uint8_t> flags_;
    std::vector<std::uint16_t> next_pages_;
    std::vector<std::uint32_t> erase_counts_;
    HugeArray<std::uint32_t> lpns_;
    HugeArray<std::uint64_t> sequences_;
};

}  // namespace ftlab::nand
