// SPDX-License-Identifier: MIT
#include "ftl/gc/closed_blocks.h"

#include <algorithm>

namespace ftlab::ftl {

namespace {
constexpr std::uint32_t kBuckets = 1024;  // chosen: 4 KiB of heads stay in the L1 cache
}

ClosedBlocks::ClosedBlocks(std::uint32_t superblocks, std::uint32_t sectors_per_superblock)
    : sectors_{sectors_per_superblock}, nodes_(superblocks) {
    while ((sectors_ >> shift_) >= kBuckets) {
        ++shift_;
    }
    buckets_.assign((sectors_ >> shift_) + 1, kNone);
    lowest_ = static_cast<std::uint32_t>(buckets_.size());
    dense_.reserve(superblocks);
}

void ClosedBlocks::link(std::uint32_t sb) {
    Node& n = nodes_[sb];
    const std::uint32_t bucket = n.valid >> shift_;
    n.relink_below = bucket << shift_;
    n.previous = kNone;
    n.next = buckets_[bucket];
    if (n.next != kNone) {
        nodes_[n.next].previous = sb;
    }
    buckets_[bucket] = sb;
    lowest_ = std::min(lowest_, bucket);
}

void ClosedBlocks::unlink(std::uint32_t sb) {
    const Node& n = nodes_[sb];
    if (n.next != kNone) {
        nodes_[n.next].previous = n.previous;
    }
    (n.previous != kNone ? nodes_[n.previous].next : buckets_[n.relink_below >> shift_]) = n.next;
}

void ClosedBlocks::relink(std::uint32_t sb) {
    unlink(sb);
    link(sb);
}

void ClosedBlocks::insert(SuperblockId sb, std::uint32_t valid) {
    Node& n = nodes_[sb.index()];
    FTLAB_CHECK(n.position == kNone, "a superblock is closed once");
    n.valid = valid;
    total_valid_ += valid;
    n.position = size();
    dense_.push_back(sb.value);
    n.younger = kNone;
    n.older = last_;
    (last_ != kNone ? nodes_[last_].younger : first_) = sb.value;
    last_ = sb.value;
    link(sb.value);
}

void ClosedBlocks::remove(SuperblockId sb) {
    Node& n = nodes_[sb.index()];
    FTLAB_CHECK(n.position != kNone, "only a closed superblock is collected");
    unlink(sb.value);
    (n.older != kNone ? nodes_[n.older].younger : first_) = n.younger;
    (n.younger != kNone ? nodes_[n.younger].older : last_) = n.older;
    nodes_[dense_.back()].position = n.position;
    dense_[n.position] = dense_.back();
    dense_.pop_back();
    n.position = kNone;
    total_valid_ -= n.valid;
}

SuperblockId ClosedBlocks::fewest_valid() {
    while (buckets_[lowest_] == kNone) {
        ++lowest_;
    }
    std::uint32_t best = buckets_[lowest_];
    for (std::uint32_t sb = nodes_[best].next; shift_ != 0 && sb != kNone; sb = nodes_[sb].next) {
        best = nodes_[sb].valid < nodes_[best].valid ? sb : best;
    }
    return SuperblockId{best};
}

void ClosedBlocks::check_invariants() const {
    std::uint64_t valid = 0;
    std::uint32_t linked = 0;
    for (std::uint32_t b = 0; b < buckets_.size(); ++b) {
        for (std::uint32_t sb = buckets_[b]; sb != kNone; sb = nodes_[sb].next) {
            FTLAB_CHECK(nodes_[sb].valid >> shift_ == b && b >= lowest_, "a superblock lies in its count's bucket");
            valid += nodes_[sb].valid;
            ++linked;
        }
    }
    std::uint32_t aged = 0;
    for (std::uint32_t sb = first_; sb != kNone; sb = nodes_[sb].younger) {
        ++aged;
    }
    FTLAB_CHECK(linked == size() && aged == size(), "the three indices hold the same superblocks");
    FTLAB_CHECK(valid == total_valid_, "valid sectors are counted");
}

}  // namespace ftlab::ftl
