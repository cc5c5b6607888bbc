// SPDX-License-Identifier: MIT
#include "ftl/write_buffer.h"

#include <bit>
#include <utility>

#include "sim/base/check.h"

namespace ftlab::ftl {

WriteBuffer::WriteBuffer(std::uint32_t slots) : slots_(slots), free_count_{slots} {
    // At most half full, so that probing stays short.
    const std::uint32_t entries = std::bit_ceil(slots * 2);
    table_.assign(entries, {0, kNone});
    hash_mask_ = entries - 1;
    hash_shift_ = 32U - static_cast<std::uint32_t>(std::countr_zero(entries));
    for (std::uint32_t i = slots; i-- > 0;) {
        slots_[i].next = free_;
        free_ = SlotId{i};
    }
}

void WriteBuffer::hash_insert(std::uint32_t lpn, SlotId slot) {
    std::uint32_t i = home(lpn);
    while (table_[i].slot != kNone && table_[i].lpn != lpn) {
        i = (i + 1) & hash_mask_;
    }
    table_[i] = {lpn, slot.value};
}

void WriteBuffer::hash_erase(std::uint32_t lpn) {
    std::uint32_t hole = home(lpn);
    while (table_[hole].lpn != lpn || table_[hole].slot == kNone) {
        hole = (hole + 1) & hash_mask_;
    }
    for (std::uint32_t i = (hole + 1) & hash_mask_; table_[i].slot != kNone; i = (i + 1) & hash_mask_) {
        // An entry may move into the hole unless its home lies cyclically after the hole.
        if (((i - home(table_[i].lpn)) & hash_mask_) >= ((i - hole) & hash_mask_)) {
            table_[hole] = table_[i];
            hole = i;
        }
    }
    table_[hole].slot = kNone;
}

void WriteBuffer::forget_newest(SlotId slot) {
    Slot& s = slots_[slot.index()];
    hash_erase(s.lpn);
    s.newest = false;
}

WriteBuffer::Put WriteBuffer::put(std::uint32_t lpn, SectorMask mask) {
    const SlotId old = find(lpn);
    Put result;
    if (old.valid()) {
        Slot& s = slots_[old.index()];
        if (s.state != State::in_flight) {
            s.mask |= mask;
            return {old, true, false};
        }
        // The copy in flight is whole: what the host did not write now comes from it, without a flash read.
        result.merged = mask != kWholeSector;
        mask = kWholeSector;
        s.newest = false;
    }
    FTLAB_CHECK(free_.valid(), "the write buffer has a free slot");
    const SlotId slot = free_;
    Slot& s = slots_[slot.index()];
    free_ = s.next;
    --free_count_;
    s = Slot{lpn, SlotId{}, tail_, epoch_, kNone, mask, State::dirty, true};
    ++epochs_.back();
    ++not_begun_;
    (tail_.valid() ? slots_[tail_.index()].next : head_) = slot;
    tail_ = slot;
    ++dirty_count_;
    hash_insert(lpn, slot);
    result.slot = slot;
    return result;
}

void WriteBuffer::unlink(SlotId slot) {
    Slot& s = slots_[slot.index()];
    (s.previous.valid() ? slots_[s.previous.index()].next : head_) = s.next;
    (s.next.valid() ? slots_[s.next.index()].previous : tail_) = s.previous;
    --dirty_count_;
    s.state = State::popped;
}

WriteBuffer::Drop WriteBuffer::drop(std::uint32_t lpn) {
    const SlotId slot = find(lpn);
    if (!slot.valid()) {
        return {};
    }
    forget_newest(slot);
    if (slots_[slot.index()].state != State::dirty) {
        return {true, SlotId{}};
    }
    unlink(slot);
    return {true, slot};
}

SlotId WriteBuffer::pop_dirty() {
    const SlotId slot = head_;
    unlink(slot);
    return slot;
}

bool WriteBuffer::requeue_whole(SlotId slot) {
    Slot& s = slots_[slot.index()];
    FTLAB_CHECK(s.state == State::reading, "only a slot that waits for its read is put back");
    --reading_;
    if (!s.newest) {
        return false;
    }
    s.mask = kWholeSector;
    s.state = State::dirty;
    s.previous = SlotId{};
    s.next = head_;
    (head_.valid() ? slots_[head_.index()].previous : tail_) = slot;
    head_ = slot;
    ++dirty_count_;
    return true;
}

void WriteBuffer::retire(SlotId slot) {
    if (slots_[slot.index()].newest) {
        forget_newest(slot);
    }
}

void WriteBuffer::release(SlotId slot) {
    Slot& s = slots_[slot.index()];
    FTLAB_CHECK(s.state != State::free && s.state != State::dirty && !s.newest && s.waiters == kNone,
                "a slot is released when nobody needs it any more");
    not_begun(s) -= s.state != State::in_flight ? 1U : 0U;
    s.state = State::free;
    s.next = free_;
    free_ = slot;
    ++free_count_;
    --epochs_[s.epoch - epoch_base_];
    while (epochs_.size() > 1 && epochs_.front() == 0) {
        epochs_.pop_front();
        ++epoch_base_;
    }
}

void WriteBuffer::add_waiter(SlotId slot, CommandId command) {
    std::uint32_t index = free_waiter_;
    if (index == kNone) {
        index = static_cast<std::uint32_t>(waiters_.size());
        waiters_.push_back({});
    } else {
        free_waiter_ = waiters_[index].next;
    }
    Slot& s = slots_[slot.index()];
    waiting_ += s.state != State::in_flight && s.waiters == kNone ? 1U : 0U;
    waiters_[index] = {command, s.waiters};
    s.waiters = index;
}

CommandId WriteBuffer::pop_waiter(SlotId slot) {
    Slot& s = slots_[slot.index()];
    if (s.waiters == kNone) {
        return CommandId{};
    }
    const std::uint32_t index = s.waiters;
    s.waiters = waiters_[index].next;
    waiting_ -= s.state != State::in_flight && s.waiters == kNone ? 1U : 0U;
    waiters_[index].next = free_waiter_;
    free_waiter_ = index;
    return waiters_[index].command;
}

std::uint32_t WriteBuffer::close_epoch() {
    const std::uint32_t ended = epoch_++;
    flushed_not_begun_ += std::exchange(not_begun_, 0);
    epochs_.push_back(0);
    while (epochs_.size() > 1 && epochs_.front() == 0) {
        epochs_.pop_front();
        ++epoch_base_;
    }
    return ended;
}

void WriteBuffer::check_invariants() const {
    std::uint32_t free = 0;
    std::uint32_t newest = 0;
    for (std::uint32_t i = 0; i < capacity(); ++i) {
        const Slot& s = slots_[i];
        free += s.state == State::free ? 1U : 0U;
        newest += s.newest ? 1U : 0U;
        if (s.newest) {
            FTLAB_CHECK(s.state != State::free && find(s.lpn) == SlotId{i}, "the newest copy is the one that is found");
        }
    }
    std::uint32_t entries = 0;
    for (const Entry& e : table_) {
        entries += e.slot != kNone ? 1U : 0U;
    }
    FTLAB_CHECK(free == free_count_, "free slots are counted");
    FTLAB_CHECK(entries == newest, "the table holds exactly the newest copies");
    std::uint32_t dirty = 0;
    for (SlotId s = head_; s.valid(); s = slots_[s.index()].next) {
        FTLAB_CHECK(slots_[s.index()].state == State::dirty, "the queue holds dirty slots only");
        ++dirty;
    }
    FTLAB_CHECK(dirty == dirty_count_, "dirty slots are counted");
    std::uint64_t used = 0;
    for (const std::uint64_t n : epochs_) {
        used += n;
    }
    FTLAB_CHECK(used == capacity() - free, "every slot in use belongs to an epoch");
    std::uint32_t current = 0;
    std::uint32_t flushed = 0;
    std::uint32_t reading = 0;
    for (const Slot& s : slots_) {
        const bool begun = s.state == State::free || s.state == State::in_flight;
        current += !begun && s.epoch == epoch_ ? 1U : 0U;
        flushed += !begun && s.epoch != epoch_ ? 1U : 0U;
        reading += s.state == State::reading ? 1U : 0U;
    }
    FTLAB_CHECK(current == not_begun_ && flushed == flushed_not_begun_,
                "slots without a program under way are counted");
    FTLAB_CHECK(reading == reading_, "slots that wait for their read are counted");
}

}  // namespace ftlab::ftl
