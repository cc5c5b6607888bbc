// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ftl/ppa.h"
#include "sim/base/huge_array.h"
#include "sim/base/id.h"

namespace ftlab::ftl {

/// Page-level map, wholly in DRAM: 4 bytes per 4 KiB sector.  Invariant: mapped() counts the sectors that have a
/// physical address.
///
/// Everything above asks the map at two moments only, when an operation is formed and when it completes, and both
/// moments may come later: a map that can miss (DFTL) makes the caller's operation wait at exactly these points.
class PageMap {
public:
    explicit PageMap(std::uint32_t sectors) : entries_{sectors} {}

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
    [[nodiscard]] std::uint64_t mapped() const { return mapped_; }

    /// Invalid when the sector was never written or is trimmed.  Entries hold ppa + 1, so that a fresh map needs no
    /// initialisation and 0 means unmapped.
    [[nodiscard]] Ppa find(std::uint32_t lpn) const { return Ppa{entries_[lpn] - 1}; }
    void prefetch(std::uint32_t lpn) const { __builtin_prefetch(entries_.data() + lpn, 1); }

    /// Points a sector to its new place and returns the old one.
    Ppa install(std::uint32_t lpn, Ppa ppa) {
        const Ppa old{entries_[lpn] - 1};
        entries_[lpn] = ppa.value + 1;
        mapped_ += old.valid() ? 0U : 1U;
        return old;
    }
    /// Moves a mapped sector.
    void move(std::uint32_t lpn, Ppa to) { entries_[lpn] = to.value + 1; }
    /// Forgets a sector and returns where it was.
    Ppa remove(std::uint32_t lpn) {
        const Ppa old{entries_[lpn] - 1};
        entries_[lpn] = 0;
        mapped_ -= old.valid() ? 1U : 0U;
        return old;
    }

private:
    HugeArray<std::uint32_t> entries_;
    std::uint64_t mapped_ = 0;
};

}  // namespace ftlab::ftl
