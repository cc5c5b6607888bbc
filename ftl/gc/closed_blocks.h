// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/ppa.h"
#include "sim/base/check.h"

namespace ftlab::ftl {

/// The superblocks that garbage collection may choose from, with the indices that good victim policies need:
/// fewest valid sectors, oldest, and any by number, each in O(1) amortised.
///
/// Valid counts are indexed in at most 1024 buckets.  With more sectors than that a bucket covers a range of counts,
/// so that an invalidation relinks its superblock only when it crosses a range's edge (1 in 64 for 65536 sectors),
/// and fewest_valid() scans the lowest bucket: exact at any size.
///
/// Invariants: (1) a superblock is linked in the bucket of its valid count, in the age list and in the dense table, or
/// in none; (2) total_valid() is the sum of the valid counts of the linked ones.
class ClosedBlocks {
public:
    ClosedBlocks(std::uint32_t superblocks, std::uint32_t sectors_per_superblock);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(dense_.size()); }
    [[nodiscard]] std::uint32_t sectors_per_superblock() const { return sectors_; }
    [[nodiscard]] std::uint32_t valid(SuperblockId sb) const { return nodes_[sb.index()].valid; }
    [[nodiscard]] std::uint64_t total_valid() const { return total_valid_; }
    /// Is there anything to gain?  False while every sector of every closed superblock is valid.
    [[nodiscard]] bool reclaimable() const { return total_valid_ < std::uint64_t{sectors_} * size(); }

    /// The superblock with the fewest valid sectors; among equals the one that came to its count last.  Needs size() >
    /// 0.
    [[nodiscard]] SuperblockId fewest_valid();
    /// The one that was closed first.  Needs size() > 0.
    [[nodiscard]] SuperblockId oldest() const { return SuperblockId{first_}; }
    /// Any, by number in [0, size()): for random draws.
    [[nodiscard]] SuperblockId at(std::uint32_t i) const { return SuperblockId{dense_[i]}; }

    void insert(SuperblockId sb, std::uint32_t valid);
    void remove(SuperblockId sb);
    /// A linked superblock has lost one valid sector; says whether it crossed its bucket's edge.
    void invalidate_one(SuperblockId sb) {
        Node& n = nodes_[sb.index()];
        --total_valid_;
        if (--n.valid < n.relink_below) {
            relink(sb.value);
        }
    }
    void prefetch(SuperblockId sb) const { __builtin_prefetch(&nodes_[sb.index()], 1); }
    [[nodiscard]] bool contains(SuperblockId sb) const { return nodes_[sb.index()].position != kNone; }

    void check_invariants() const;

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    struct Node {
        std::uint32_t valid = 0;
        std::uint32_t relink_below = 0;
        std::uint32_t next = kNone, previous = kNone;  // in the bucket
        std::uint32_t younger = kNone, older = kNone;  // in the age list
        std::uint32_t position = kNone;                // in the dense table
    };

    void link(std::uint32_t sb);
    void unlink(std::uint32_t sb);
    void relink(std::uint32_t sb);

    std::uint32_t sectors_;
    std::uint32_t shift_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> buckets_;
    std::uint32_t lowest_ = 0;  // no superblock lies in a lower bucket
    std::vector<std::uint32_t> dense_;
    std::uint32_t first_ = kNone, last_ = kNone;
    std::uint64_t total_valid_ = 0;
};

}  // namespace ftlab::ftl
