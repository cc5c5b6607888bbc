// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/base/config.h"

namespace ftlab::nand {

/// How many bits a cell stores.
enum class CellMode : std::uint8_t { slc, mlc };

/// Which bit of its cells a page is: an LSB page programs fast, an MSB page slowly.
enum class PageKind : std::uint8_t { lsb, msb };

/// The kind of a page by its place in the program order.
///
/// MLC paired pages (19 nm Toggle MLC, drives.md B1): word line 0 holds pages 0 and 2, word line w >= 1 holds its LSB
/// at 2w-1 and its MSB at 2w+2, and the last page is the MSB of the last word line.  So page 0 and the odd pages but
/// the last are LSB, the others MSB: half of the pages each.
constexpr PageKind page_kind(CellMode mode, std::uint32_t page, std::uint32_t pages_per_block) {
    if (mode == CellMode::slc || page == 0) {
        return PageKind::lsb;
    }
    return page % 2 == 1 && page + 1 != pages_per_block ? PageKind::lsb : PageKind::msb;
}

}  // namespace ftlab::nand

template <>
struct ftlab::config::EnumNames<ftlab::nand::CellMode> {
    static constexpr EnumName<nand::CellMode> kNames[] = {{nand::CellMode::slc, "slc"}, {nand::CellMode::mlc, "mlc"}};
};
