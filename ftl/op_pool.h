// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/flash_op.h"
#include "ftl/ppa.h"

namespace ftlab::ftl {

/// The FTL's memory of its flash operations in flight: what each acts on, and for every sector of a program its lpn
/// and where it came from.  Grows to the largest number ever in flight and allocates nothing after that.
class OpPool {
public:
    struct Op {
        OpKind kind = OpKind::read;
        Origin payer = Origin::host;
        std::uint16_t count = 0;  ///< sectors of data
        SuperblockId superblock;
        std::uint32_t unit = 0;
        CommandId tag;
        std::uint32_t next_free = kNone;
    };

    explicit OpPool(std::uint32_t unit_sectors) : stride_{unit_sectors} {}

    OpId take() {
        ++in_flight_;
        if (free_ == kNone) {
            ops_.emplace_back();
            lpns_.resize(ops_.size() * stride_);
            sources_.resize(ops_.size() * stride_);
            return OpId{static_cast<std::uint32_t>(ops_.size() - 1)};
        }
        const OpId id{free_};
        free_ = ops_[id.index()].next_free;
        return id;
    }
    void give_back(OpId id) {
        --in_flight_;
        ops_[id.index()].next_free = free_;
        free_ = id.value;
    }
    Op& operator[](OpId id) { return ops_[id.index()]; }
    const Op& operator[](OpId id) const { return ops_[id.index()]; }
    /// Of a program: the lpns of the whole unit, padding as nand::kNoLpn.  Of an rmw read: one.
    std::uint32_t* lpns(OpId id) { return lpns_.data() + id.index() * stride_; }
    [[nodiscard]] const std::uint32_t* lpns(OpId id) const { return lpns_.data() + id.index() * stride_; }
    /// Of a host program or an rmw read: slots.  Of a GC program: the ppas that its sectors were copied from.
    std::uint32_t* sources(OpId id) { return sources_.data() + id.index() * stride_; }
    [[nodiscard]] const std::uint32_t* sources(OpId id) const { return sources_.data() + id.index() * stride_; }
    [[nodiscard]] std::uint32_t in_flight() const { return in_flight_; }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    std::uint32_t stride_;
    std::vector<Op> ops_;
    std::vector<std::uint32_t> lpns_;
    std::vector<std::uint32_t> sources_;
    std::uint32_t free_ = kNone;
    std::uint32_t in_flight_ = 0;
};

}  // namespace ftlab::ftl
