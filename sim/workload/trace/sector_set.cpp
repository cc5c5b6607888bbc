// SPDX-License-Identifier: MIT
#include "sim/workload/trace/sector_set.h"

#include <algorithm>
#include <bit>

#include "sim/base/units.h"

namespace ftlab::workload {

namespace {
/// a / b rounded towards minus infinity; b > 0.
constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
}  // namespace

SectorRange touched_sectors(std::int64_t first_byte, std::int64_t end_byte) {
    constexpr auto kSector = static_cast<std::int64_t>(kSectorSize.count);
    const std::int64_t first = floor_divide(first_byte, kSector);
    return {first, end_byte > first_byte ? floor_divide(end_byte - 1, kSector) + 1 : first};
}

void SectorSet::add(SectorRange range) {
    constexpr std::int64_t kChunkBits = kWordBits * kWords;
    for (std::int64_t sector = range.first; sector < range.end;) {
        const std::int64_t chunk = floor_divide(sector, kChunkBits);
        auto& words = chunks_[chunk];
        const std::int64_t chunk_end = std::min((chunk + 1) * kChunkBits, range.end);
        while (sector < chunk_end) {
            const std::int64_t bit = sector - chunk * kChunkBits;
            const std::int64_t count = std::min(kWordBits - bit % kWordBits, chunk_end - sector);
            const std::uint64_t mask = (~std::uint64_t{0} >> static_cast<unsigned>(kWordBits - count))
                                       << static_cast<unsigned>(bit % kWordBits);
            std::uint64_t& word = words[static_cast<std::size_t>(bit / kWordBits)];
            size_ += static_cast<std::uint64_t>(std::popcount(mask & ~word));
            word |= mask;
            sector += count;
        }
    }
}

}  // namespace ftlab::workload
