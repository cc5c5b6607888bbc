// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "ftl/ppa.h"
#include "sim/base/huge_array.h"

namespace ftlab::ftl {

/// Which flash sectors hold the current copy of their logical page: one bit each.
///
/// It says nothing that the map does not, but garbage collection asks for a unit of neighbours at a time: one word
/// here, a cache miss for each sector in the map.  Costs 1 bit per 4 KiB.
class ValidSectors {
public:
    static constexpr std::uint32_t kWordBits = 64;

    /// For addresses below `end`; all invalid.
    explicit ValidSectors(std::uint64_t end) : words_{end / kWordBits + 2} {}

    [[nodiscard]] bool test(Ppa ppa) const {
        return ((words_[ppa.value / kWordBits] >> (ppa.value % kWordBits)) & 1U) != 0;
    }
    void clear(Ppa ppa) { words_[ppa.value / kWordBits] &= ~(std::uint64_t{1} << (ppa.value % kWordBits)); }
    void prefetch(Ppa ppa) const { __builtin_prefetch(words_.data() + ppa.value / kWordBits, 1); }

    /// The bits of `first` and up to 63 that follow, lowest first; `count` in 1..64.
    [[nodiscard]] std::uint64_t bits(Ppa first, std::uint32_t count) const {
        const std::uint64_t* word = words_.data() + first.value / kWordBits;
        const std::uint32_t shift = first.value % kWordBits;
        const std::uint64_t low = word[0] >> shift;
        // In two steps, because a shift by the whole width is undefined.
        const std::uint64_t high = (word[1] << 1U) << (kWordBits - 1 - shift);
        return (low | high) & (~std::uint64_t{0} >> (kWordBits - count));
    }
    /// Sets those of the sectors from `first` on whose bit is set in `bits`.
    void set(Ppa first, std::uint64_t bits) {
        std::uint64_t* word = words_.data() + first.value / kWordBits;
        const std::uint32_t shift = first.value % kWordBits;
        word[0] |= bits << shift;
        word[1] |= (bits >> 1U) >> (kWordBits - 1 - shift);
    }

    void clear_all() { std::fill(words_.begin(), words_.end(), 0); }

private:
    HugeArray<std::uint64_t> words_;
};

}  // namespace ftlab::ftl
