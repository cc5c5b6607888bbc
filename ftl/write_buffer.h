// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/id.h"

namespace ftlab::ftl {

using SlotId = Id<struct SlotTag>;

/// One bit a 512 B block of a sector; all set when the slot holds the whole sector.
using SectorMask = std::uint8_t;
inline constexpr SectorMask kWholeSector = 0xff;

/// The write buffer in DRAM: acknowledged host data that is not yet programmed, in 4 KiB slots.
///
/// Invariants:
/// (1) at most one slot of an lpn is the *newest*; only it is found by find() and only it accepts further writes;
/// (2) a slot is free, dirty (queued in arrival order), reading (waiting for its read-modify-write read) or in flight
///     (its program is under way); the data of a slot in flight never changes: a rewrite takes a new slot;
/// (3) a slot that stops being newest while in flight or reading is superseded: its program is born invalid;
/// (4) every slot that is not free belongs to one epoch; an epoch ends at a flush.
class WriteBuffer {
public:
    explicit WriteBuffer(std::uint32_t slots);

    [[nodiscard]] std::uint32_t capacity() const { return static_cast<std::uint32_t>(slots_.size()); }
    [[nodiscard]] std::uint32_t free() const { return free_count_; }
    [[nodiscard]] std::uint32_t used() const { return capacity() - free_count_; }
    [[nodiscard]] std::uint32_t dirty() const { return dirty_count_; }

    /// The newest copy of a sector, invalid when the buffer has none.
    [[nodiscard]] SlotId find(std::uint32_t lpn) const;

    struct Put {
        SlotId slot;
        bool coalesced = false;  ///< merged into a slot that was waiting
        bool merged = false;     ///< the missing part of the sector came from a copy in flight
    };
    /// Stores (part of) a sector.  Needs a free slot unless it coalesces.
    Put put(std::uint32_t lpn, SectorMask mask);
    struct Drop {
        bool found = false;
        SlotId release;  ///< was waiting: the caller serves its waiters and releases it; else invalid
    };
    /// Forgets the newest copy of a sector: takes a waiting slot out of the queue, supersedes one under way.
    Drop drop(std::uint32_t lpn);

    /// Takes the oldest dirty slot out of the queue; the caller moves it on by start_program(), start_read() or
    /// requeue().  Needs dirty() > 0.
    SlotId pop_dirty();
    void start_program(SlotId slot) {
        Slot& s = slots_[slot.index()];
        s.state = State::in_flight;
        waiting_ -= s.waiters != kNone ? 1U : 0U;
        --not_begun(s);
    }
    void start_read(SlotId slot) {
        slots_[slot.index()].state = State::reading;
        ++reading_;
    }
    /// Slots whose read-modify-write read is under way.
    [[nodiscard]] std::uint32_t reading() const { return reading_; }
    /// Back to the head of the queue, now with the whole sector; frees it instead when it was dropped meanwhile and
    /// says so by false.
    bool requeue_whole(SlotId slot);
    /// Frees a slot whose program is complete (or that was superseded before it started).
    void release(SlotId slot);

    [[nodiscard]] std::uint32_t lpn(SlotId slot) const { return slots_[slot.index()].lpn; }
    [[nodiscard]] bool whole(SlotId slot) const { return slots_[slot.index()].mask == kWholeSector; }
    void fill(SlotId slot) { slots_[slot.index()].mask = kWholeSector; }
    [[nodiscard]] bool is_newest(SlotId slot) const { return slots_[slot.index()].newest; }
    /// The slot's data has reached flash and is installed: it is not the newest copy any more.
    void retire(SlotId slot);

    /// Commands that wait for a slot's program (FUA).
    void add_waiter(SlotId slot, CommandId command);
    /// Takes the waiting commands off a slot, one at a time; invalid when none is left.
    CommandId pop_waiter(SlotId slot);
    /// Does any command wait for a slot whose program has not begun?
    [[nodiscard]] bool has_waiters() const { return waiting_ > 0; }

    /// Ends the current epoch and returns it: everything stored before is in it or in an earlier one.
    std::uint32_t close_epoch();
    /// Does an epoch that has ended hold a slot whose program has not begun?
    [[nodiscard]] bool flush_waits() const { return flushed_not_begun_ > 0; }
    /// All slots of the epoch and of earlier ones are released.
    [[nodiscard]] bool epoch_done(std::uint32_t epoch) const { return epoch < epoch_base_; }

    /// Checks the invariants; O(capacity).  For tests.
    void check_invariants() const;

private:
    enum class State : std::uint8_t { free, dirty, popped, reading, in_flight };
    struct Slot {
        std::uint32_t lpn = 0;
        SlotId next;  // in the free list or the dirty queue
        SlotId previous;
        std::uint32_t epoch = 0;
        std::uint32_t waiters = kNone;
        SectorMask mask = 0;
        State state = State::free;
        bool newest = false;
    };
    struct Waiter {
        CommandId command;
        std::uint32_t next = kNone;
    };
    struct Entry {  // of the hash table: open addressing, linear probing, backward-shift deletion
        std::uint32_t lpn;
        std::uint32_t slot;
    };
    static constexpr std::uint32_t kNone = 0xffffffffU;

    [[nodiscard]] std::uint32_t home(std::uint32_t lpn) const { return (lpn * 0x9e3779b1U) >> hash_shift_; }
    void hash_insert(std::uint32_t lpn, SlotId slot);
    void hash_erase(std::uint32_t lpn);
    /// The count of slots without a program under way that this slot belongs to.
    [[nodiscard]] std::uint32_t& not_begun(const Slot& slot) {
        return slot.epoch == epoch_ ? not_begun_ : flushed_not_begun_;
    }
    void unlink(SlotId slot);
    void forget_newest(SlotId slot);

    std::vector<Slot> slots_;
    std::vector<Entry> table_;
    std::uint32_t hash_mask_ = 0;
    std::uint32_t hash_shift_ = 0;
    SlotId free_;
    SlotId head_, tail_;
    std::uint32_t free_count_ = 0;
    std::uint32_t dirty_count_ = 0;
    std::uint32_t waiting_ = 0;  // slots with waiters and without a program under way
    std::vector<Waiter> waiters_;
    std::uint32_t free_waiter_ = kNone;
    std::deque<std::uint64_t> epochs_{0};  // slots in use, by epoch from epoch_base_ to the current one
    std::uint32_t epoch_base_ = 0;
    std::uint32_t epoch_ = 0;              // the current one
    std::uint32_t not_begun_ = 0;          // slots of the current epoch without a program under way
    std::uint32_t flushed_not_begun_ = 0;  // those of earlier epochs
    std::uint32_t reading_ = 0;
};

inline SlotId WriteBuffer::find(std::uint32_t lpn) const {
    for (std::uint32_t i = home(lpn);; i = (i + 1) & hash_mask_) {
        if (table_[i].slot == kNone || table_[i].lpn == lpn) {
            return SlotId{table_[i].slot};
        }
    }
}

}  // namespace ftlab::ftl
