// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "ftl/gc/closed_blocks.h"
#include "ftl/ppa.h"
#include "ftl/valid_sectors.h"
#include "nand/array.h"

namespace ftlab::ftl {

/// The superblocks: which blocks each is made of, where each is in its life, and how much of it is valid.
///
/// Superblock k takes block k of every plane; where that is bad, an extended good block of the same plane stands in, so
/// that bad blocks never break the striping.  A superblock is written unit by unit: page by page, in each page die by
/// die (channels first).
///
/// Invariants:
/// (1) every superblock is in exactly one of free, open, closed, victim;
/// (2) a sector is valid exactly if the map points to it, and valid(sb) counts those of sb;
/// (3) a superblock is recycled only when nothing in flight reads it (pins(sb) == 0).
class BlockPool {
public:
    enum class State : std::uint8_t { free, open, closed, victim };

    /// `held_back` superblocks of the nominal ones are never used: firmware's own, or a calibrated loss.
    BlockPool(nand::Array& array, std::uint32_t held_back);

    /// How many superblocks a drive of this geometry offers to data: good blocks of the worst plane, at most the
    /// nominal number, less those held back.
    [[nodiscard]] static std::uint32_t usable(const nand::Array& array, std::uint32_t held_back);

    [[nodiscard]] std::uint32_t superblocks() const { return static_cast<std::uint32_t>(states_.size()); }
    [[nodiscard]] std::uint32_t sectors() const { return sectors_; }  ///< of a superblock
    [[nodiscard]] std::uint32_t dies() const { return dies_; }
    [[nodiscard]] std::uint32_t planes() const { return planes_; }
    [[nodiscard]] std::uint32_t units() const { return units_; }                ///< program units of a superblock
    [[nodiscard]] std::uint32_t unit_sectors() const { return unit_sectors_; }  ///< sectors of a program unit

    [[nodiscard]] SuperblockId superblock_of(Ppa ppa) const { return SuperblockId{ppa.value >> shift_}; }
    [[nodiscard]] std::uint32_t offset_of(Ppa ppa) const { return ppa.value & ((1U << shift_) - 1); }
    [[nodiscard]] Ppa ppa(SuperblockId sb, std::uint32_t offset) const { return Ppa{(sb.value << shift_) | offset}; }

    [[nodiscard]] nand::DieId die_of_unit(std::uint32_t unit) const {
        return nand::DieId{static_cast<std::uint16_t>(unit % dies_)};
    }
    [[nodiscard]] std::uint32_t page_of_unit(std::uint32_t unit) const { return unit / dies_; }
    [[nodiscard]] nand::MultiPlaneAddress address(SuperblockId sb, std::uint32_t unit) const;
    /// The out-of-band lpns of the sectors of one plane's page of a unit.
    [[nodiscard]] const std::uint32_t* oob(SuperblockId sb, std::uint32_t unit, std::uint32_t plane) const {
        const nand::DieId die = die_of_unit(unit);
        return array_.oob(die, plane, blocks_[sb.index() * lanes_ + die.index() * planes_ + plane], page_of_unit(unit));
    }

    [[nodiscard]] State state(SuperblockId sb) const { return states_[sb.index()]; }
    [[nodiscard]] std::uint32_t valid(SuperblockId sb) const {
        return states_[sb.index()] == State::closed ? closed_.valid(sb) : valid_[sb.index()];
    }
    [[nodiscard]] std::uint32_t free_count() const { return free_count_; }
    [[nodiscard]] ClosedBlocks& closed() { return closed_; }
    [[nodiscard]] const ClosedBlocks& closed() const { return closed_; }
    /// Sectors programmed since the superblock was last erased.
    [[nodiscard]] std::uint32_t filled(SuperblockId sb) const { return filled_[sb.index()]; }

    /// Takes the superblock that has been free the longest.  Needs free_count() > 0.
    SuperblockId open();
    /// A full superblock becomes a candidate for collection.
    void close(SuperblockId sb);
    /// A closed superblock becomes a victim.
    void take(SuperblockId sb);
    /// An erased victim is free again.
    void recycle(SuperblockId sb);

    void add_filled(SuperblockId sb, std::uint32_t sectors) { filled_[sb.index()] += sectors; }
    [[nodiscard]] bool is_valid(Ppa ppa) const { return sector_valid_.test(ppa); }
    /// Which of up to 64 sectors of one superblock from `first` on are valid, lowest bit first.
    [[nodiscard]] std::uint64_t valid_bits(Ppa first, std::uint32_t count) const {
        return sector_valid_.bits(first, count);
    }
    /// Of up to 64 sectors of an open superblock from `first` on, those of `bits` became the current copies.
    void validate(Ppa first, std::uint64_t bits) {
        sector_valid_.set(first, bits);
        valid_[superblock_of(first).index()] += static_cast<std::uint32_t>(std::popcount(bits));
    }
    void invalidate(Ppa ppa) {
        sector_valid_.clear(ppa);
        const SuperblockId sb = superblock_of(ppa);
        if (states_[sb.index()] == State::closed) {
            closed_.invalidate_one(sb);
        } else {
            --valid_[sb.index()];
        }
    }
    /// A sector of a victim was copied away; taken_from_victim() counts it.  Apart, because copies come in runs.
    void take_from_victim(Ppa ppa) { sector_valid_.clear(ppa); }
    void taken_from_victim(SuperblockId sb, std::uint32_t sectors) { valid_[sb.index()] -= sectors; }
    /// Brings near what invalidate() touches.
    void prefetch(Ppa ppa) const {
        sector_valid_.prefetch(ppa);
        closed_.prefetch(superblock_of(ppa));
    }

    void pin(SuperblockId sb) { ++pins_[sb.index()]; }
    void unpin(SuperblockId sb) { --pins_[sb.index()]; }
    [[nodiscard]] std::uint32_t pins(SuperblockId sb) const { return pins_[sb.index()]; }

    /// Erases everything that holds data: all superblocks are free.  Returns the multi-plane erases this took.
    std::uint64_t erase_all();

    [[nodiscard]] std::uint64_t total_valid() const;
    [[nodiscard]] std::uint64_t total_filled() const;
    void check_invariants() const;

private:
    void push_free(SuperblockId sb);

    nand::Array& array_;
    std::uint32_t dies_, planes_, lanes_, sectors_, units_, unit_sectors_;
    std::uint32_t shift_;
    std::vector<std::uint16_t> blocks_;  // by superblock and lane
    ValidSectors sector_valid_;
    std::vector<State> states_;
    std::vector<std::uint32_t> valid_;  // of superblocks that are not closed
    std::vector<std::uint32_t> filled_;
    std::vector<std::uint32_t> pins_;
    std::vector<std::uint32_t> free_ring_;
    std::uint32_t free_head_ = 0;
    std::uint32_t free_count_ = 0;
    ClosedBlocks closed_;
};

}  // namespace ftlab::ftl
