// SPDX-License-Identifier: MIT
#include "sim/report/block_map.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace ftlab::report {

namespace {

constexpr std::uint32_t kColumns = 64;
constexpr std::uint32_t kMostRows = 32;
constexpr std::size_t kLevels = 8;

struct Look {
    std::string_view free, open, victim;
    std::array<std::string_view, kLevels> closed;  ///< from nothing valid to everything valid
};
constexpr Look kBlocks{
    "\u00b7", "O", "X", {"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"}};
constexpr Look kAscii{".", "O", "X", {"0", "1", "2", "3", "4", "5", "6", "7"}};

/// Neighbours that share one character.
struct Cell {
    std::uint32_t free = 0, open = 0, victims = 0, closed = 0;
    std::uint64_t valid = 0;
};

std::string_view look_of(const Cell& cell, const Look& look, std::uint32_t sectors) {
    if (cell.victims > 0) {
        return look.victim;
    }
    if (cell.open > 0) {
        return look.open;
    }
    if (cell.closed == 0) {
        return look.free;
    }
    const std::uint64_t all = std::uint64_t{sectors} * cell.closed;
    return look.closed[std::min<std::uint64_t>(cell.valid * kLevels / all, kLevels - 1)];
}

}  // namespace

std::string block_map(const ftl::BlockPool& pool, bool utf8) {
    using State = ftl::BlockPool::State;
    const Look& look = utf8 ? kBlocks : kAscii;
    const std::uint32_t count = pool.superblocks();
    const std::uint32_t together =
        std::max<std::uint32_t>((count + kColumns * kMostRows - 1) / (kColumns * kMostRows), 1);
    Cell all;
    std::string map;
    for (std::uint32_t first = 0, column = 0; first < count; first += together, ++column) {
        Cell cell;
        for (std::uint32_t i = first; i < std::min(first + together, count); ++i) {
            const ftl::SuperblockId sb{i};
            const State state = pool.state(sb);
            cell.free += state == State::free ? 1U : 0U;
            cell.open += state == State::open ? 1U : 0U;
            cell.victims += state == State::victim ? 1U : 0U;
            cell.closed += state == State::closed ? 1U : 0U;
            cell.valid += state == State::closed ? pool.valid(sb) : 0U;
        }
        all.free += cell.free;
        all.open += cell.open;
        all.victims += cell.victims;
        all.closed += cell.closed;
        all.valid += cell.valid;
        map += column > 0 && column % kColumns == 0 ? "\n" : "";
        map += look_of(cell, look, pool.sectors());
    }
    const double share =
        all.closed == 0 ? 0.0
                        : 100.0 * static_cast<double>(all.valid) / (static_cast<double>(all.closed) * pool.sectors());
    return fmt::format(
        "{}\n{} free {}   {} open {}   {} to {} closed, none to all valid {} ({:.1f}% valid)   {} being "
        "collected {}{}\n",
        map, look.free, all.free, look.open, all.open, look.closed.front(), look.closed.back(), all.closed, share,
        look.victim, all.victims,
        together == 1 ? "" : fmt::format("\neach character stands for {} superblocks", together));
}

}  // namespace ftlab::report
