// SPDX-License-Identifier: MIT
#include "nand/cell.h"

#include <catch2/catch.hpp>

using namespace ftlab;
using namespace ftlab::nand;

TEST_CASE("half of an MLC block's pages are LSB, whatever its size") {
    for (const std::uint32_t pages : {4U, 8U, 16U, 128U, 256U, 512U}) {
        std::uint32_t lsb = 0;
        for (std::uint32_t page = 0; page < pages; ++page) {
            lsb += page_kind(CellMode::mlc, page, pages) == PageKind::lsb ? 1U : 0U;
        }
        CHECK(lsb == pages / 2);
    }
}

TEST_CASE("the pages of a word line are paired as 19 nm MLC pairs them") {
    // Word line 0: pages 0 and 2.  Word line w: LSB at 2w - 1, MSB at 2w + 2; the last MSB is the last page.
    constexpr std::uint32_t kPages = 256;
    CHECK(page_kind(CellMode::mlc, 0, kPages) == PageKind::lsb);
    CHECK(page_kind(CellMode::mlc, 2, kPages) == PageKind::msb);
    for (std::uint32_t line = 1; line + 1 < kPages / 2; ++line) {
        CHECK(page_kind(CellMode::mlc, 2 * line - 1, kPages) == PageKind::lsb);
        CHECK(page_kind(CellMode::mlc, 2 * line + 2, kPages) == PageKind::msb);
    }
    CHECK(page_kind(CellMode::mlc, 253, kPages) == PageKind::lsb);
    CHECK(page_kind(CellMode::mlc, 255, kPages) == PageKind::msb);
}

TEST_CASE("an MSB page is programmed after the LSB page of its word line") {
    constexpr std::uint32_t kPages = 256;
    std::uint32_t lsb = 0;
    std::uint32_t msb = 0;
    for (std::uint32_t page = 0; page < kPages; ++page) {
        ++(page_kind(CellMode::mlc, page, kPages) == PageKind::lsb ? lsb : msb);
        CHECK(msb <= lsb);
    }
}

TEST_CASE("a cell of one bit has LSB pages only") {
    for (std::uint32_t page = 0; page < 64; ++page) {
        CHECK(page_kind(CellMode::slc, page, 64) == PageKind::lsb);
    }
}
