// SPDX-License-Identifier: MIT
#include "nand/array.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/base/check.h"

namespace ftlab::nand {

Array::Array(const Geometry& geometry, const RandomStreams& random)
    : geometry_{geometry},
      planes_{geometry.planes},
      blocks_{geometry.blocks_per_plane},
      pages_{geometry.pages_per_block},
      dies_{geometry.dies()},
      lanes_{geometry.lanes()},
      sectors_{geometry.sectors_per_page()},
      flags_(static_cast<std::size_t>(lanes_) * blocks_),
      next_pages_(flags_.size()),
      erase_counts_(flags_.size()),
      lpns_(flags_.size() * pages_ * sectors_),
      sequences_(static_cast<std::size_t>(blocks_) * pages_ * dies_) {
    const auto bad = static_cast<std::uint32_t>(std::floor(geometry.factory_bad.value * blocks_));
    Random draw = random.stream("nand.factory_bad");
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
        for (std::uint32_t found = 0; found < bad;) {
            std::uint8_t& flags = flags_[lane * blocks_ + draw.below(blocks_)];
            found += (flags & kBad) == 0 ? 1U : 0U;
            flags |= kBad;
        }
    }
}

void Array::program(const MultiPlaneAddress& where, std::span<const std::uint32_t> lpns, std::uint64_t sequence) {
    for (std::uint32_t plane = 0; plane < where.planes; ++plane) {
        const std::uint32_t block = where.block[plane];
        const std::size_t index = block_index(where.die, plane, block);
        FTLAB_CHECK((flags_[index] & kBad) == 0, "a bad block is not programmed");
        FTLAB_CHECK(next_pages_[index] == where.page, "pages of a block are programmed in order, once");
        ++next_pages_[index];
        std::memcpy(lpns_.data() + oob_index(where.die, plane, block, where.page),
                    lpns.data() + static_cast<std::size_t>(plane) * sectors_, sectors_ * sizeof(std::uint32_t));
    }
    sequences_[(static_cast<std::size_t>(where.block[0]) * pages_ + where.page) * dies_ + where.die.index()] = sequence;
}

void Array::erase(const MultiPlaneAddress& where) {
    for (std::uint32_t plane = 0; plane < where.planes; ++plane) {
        const std::size_t index = block_index(where.die, plane, where.block[plane]);
        FTLAB_CHECK((flags_[index] & kBad) == 0, "a bad block is not erased");
        next_pages_[index] = 0;
        ++erase_counts_[index];
    }
}

}  // namespace ftlab::nand
