// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace ftlab::workload {

/// The 4 KiB sectors [first, end) that a range of bytes touches.
struct SectorRange {
    std::int64_t first;
    std::int64_t end;
};
SectorRange touched_sectors(std::int64_t first_byte, std::int64_t end_byte);

/// Which 4 KiB sectors have been touched, of an address space of any size and sign: a bitmap that exists only where
/// there are bits.  512 B for each 16 MiB of addresses that are touched at all.
class SectorSet {
public:
    void add(SectorRange range);

    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    static constexpr std::int64_t kWordBits = 64;
    static constexpr std::int64_t kWords = 64;

    std::unordered_map<std::int64_t, std::array<std::uint64_t, kWords>> chunks_;
    std::uint64_t size_ = 0;
};

}  // namespace ftlab::workload
