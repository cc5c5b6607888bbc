// SPDX-License-Identifier: MIT
//
// The program units: how host and GC data reach the flash, and what happens when an operation completes.
#include <algorithm>
#include <bit>

#include "ftl/ftl.h"
#include "sim/base/check.h"

namespace ftlab::ftl {

void Ftl::pump(Executor& executor) {
    // A unit must be payable before the debt stops the host.
    const std::int64_t limit = std::int64_t{std::max(params_.gc.debt_limit, unit_sectors_)} << 16U;
    while (!held_) {
        const bool blocked = host_blocked_;
        if (idle_) {  // what the host needs or has paid for is collected at any price
            const bool due = blocked || debt_q16_ >= std::int64_t{unit_sectors_} << 16U;
            collector_.demand(due ? 0 : idle_least_gain_);
        }
        const bool collect = (active_ || blocked || idle_) && collector_.can_progress();
        bool issued = false;
        if (collect) {
            if (collector_.read_ahead(executor)) {
                change_rate(trigger_->rate(MoveRate::of(collector_.break_even())));
            }
            log_events();
            const std::int64_t price = std::int64_t{std::min(collector_.gathered(), unit_sectors_)} << 16U;
            const bool paid = debt_q16_ >= price;
            // Idle collection pads a unit only where that gains space: else it would collect its own padding for ever.
            if (collector_.unit_due()
                    ? blocked || paid || (idle_ && collector_.gains(idle_least_gain_))
                    : collector_.only_tail_left() && (blocked || paid || (idle_ && collector_.tail_gains()))) {
                issued = issue_gc_unit(executor);
            }
        }
        // Host programs wait while GC is too far behind what the host has promised to pay.
        if (!issued && (!active_ || debt_q16_ < limit || !collect)) {
            issued = issue_host_unit(executor);
        }
        // A host that has just found no superblock forces collection: once more around.
        if (!issued && (blocked || !host_blocked_)) {
            return;
        }
    }
}

void Ftl::change_rate(MoveRate rate) {
    // What the host owes is space; its price in moves is the victim's.  A debt that kept the price of fuller victims
    // would stop the host after a TRIM, when victims are empty and nothing is left to move.
    // Both ways: a debt that only ever shrank would starve the pool where victims differ (random victims, theory_test).
    if (rate_.q16 > 0) {
        __extension__ using Wide = __int128;
        debt_q16_ = static_cast<std::int64_t>(static_cast<Wide>(debt_q16_) * rate.q16 / rate_.q16);
    }
    rate_ = rate;
}

bool Ftl::gc_frontier_ready() {
    if (gc_.superblock.valid() && gc_.next_unit < pool_.units()) {
        return true;
    }
    if (pool_.free_count() == 0) {
        return false;  // an erase under way will free one
    }
    gc_ = {pool_.open(), 0};
    update_trigger();
    return true;
}

bool Ftl::host_frontier_ready() {
    if (host_.superblock.valid() && host_.next_unit < pool_.units()) {
        return true;
    }
    if (pool_.free_count() <= params_.gc.reserve) {
        if (!host_blocked_) {
            host_blocked_ = true;
            ++counters_.host_stops;
        }
        return false;
    }
    host_ = {pool_.open(), 0};
    host_blocked_ = false;
    update_trigger();
    return true;
}

bool Ftl::issue_gc_unit(Executor& executor) {
    if (!gc_frontier_ready() || !executor.room(Origin::gc, pool_.die_of_unit(gc_.next_unit))) {
        return false;
    }
    const std::uint32_t count = collector_.sift(counters_);
    if (count == 0 || (count < unit_sectors_ && !collector_.only_tail_left())) {
        // Sectors were lost meanwhile: there may be room to read more, or a victim to erase.
        collector_.erase_empty(executor);
        log_events();
        return true;
    }
    const OpId id = ops_.take();
    std::uint32_t* lpns = ops_.lpns(id);
    collector_.take(count, lpns, ops_.sources(id));
    for (std::uint32_t i = 0; i < count; ++i) {
        map_.prefetch(lpns[i]);
    }
    // Forced collection pays off what is owed, but saves nothing up: the host goes on at its paced rate after a stop.
    debt_q16_ = std::max<std::int64_t>(0, debt_q16_ - (std::int64_t{count} << 16U));
    issue_program(gc_, id, Origin::gc, static_cast<std::uint16_t>(count), executor);
    return true;
}

void Ftl::start_rmw(SlotId slot, Executor& executor) {
    const std::uint32_t lpn = buffer_.lpn(slot);
    const Ppa ppa = map_.find(lpn);
    if (!ppa.valid()) {  // never written: the rest of the sector is zeroes
        ++counters_.rmw_sectors_spared;
        buffer_.fill(slot);
        staged_.push_back(slot);
        return;
    }
    ++counters_.rmw_sectors;
    const SuperblockId sb = pool_.superblock_of(ppa);
    const std::uint32_t unit = pool_.offset_of(ppa) / unit_sectors_;
    const OpId id = ops_.take();
    ops_[id] = {OpKind::read, Origin::rmw, 1, sb, unit, CommandId{}, 0};
    ops_.lpns(id)[0] = lpn;
    ops_.sources(id)[0] = slot.value;
    buffer_.start_read(slot);
    pool_.pin(sb);
    executor.issue({id, OpKind::read, Origin::rmw, 1, 1, static_cast<std::uint16_t>(pool_.page_of_unit(unit)),
                    pool_.die_of_unit(unit), CommandId{}});
}

void Ftl::stage_host_slots(Executor& executor) {
    // First come first served: a slot that waits for its read keeps its place in the unit.
    while (staged_.size() + buffer_.reading() < unit_sectors_ && buffer_.dirty() > 0) {
        const SlotId slot = buffer_.pop_dirty();
        if (buffer_.whole(slot)) {
            staged_.push_back(slot);
        } else {
            start_rmw(slot, executor);
        }
    }
}

bool Ftl::issue_host_unit(Executor& executor) {
    const std::size_t at_hand = staged_.size() + buffer_.dirty();
    if (at_hand == 0 || (at_hand < unit_sectors_ && !urgent())) {
        return false;
    }
    if (!host_frontier_ready() || !executor.room(Origin::host, pool_.die_of_unit(host_.next_unit))) {
        return false;
    }
    // A TRIM may have dropped staged data meanwhile: others take its place.
    for (std::size_t i = 0; i < staged_.size();) {
        if (buffer_.is_newest(staged_[i])) {
            ++i;
            continue;
        }
        release(staged_[i], executor);
        staged_.erase(staged_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    stage_host_slots(executor);
    if (staged_.empty() || (staged_.size() < unit_sectors_ && !urgent())) {
        return false;
    }
    const OpId id = ops_.take();
    std::uint32_t* lpns = ops_.lpns(id);
    std::uint32_t* slots = ops_.sources(id);
    std::uint16_t count = 0;
    for (const SlotId slot : staged_) {
        const std::uint32_t lpn = buffer_.lpn(slot);
        lpns[count] = lpn;
        slots[count++] = slot.value;
        buffer_.start_program(slot);
        // The map entry is near since the command came; what it leads to is needed when the program ends.
        if (const Ppa old = map_.find(lpn); old.valid()) {
            pool_.prefetch(old);
        }
    }
    staged_.clear();
    if (active_ && collector_.can_progress()) {  // nothing is owed while there is nothing to collect
        debt_q16_ += static_cast<std::int64_t>(rate_.q16) * count;
    }
    issue_program(host_, id, Origin::host, count, executor);
    return true;
}

void Ftl::issue_program(Frontier& frontier, OpId id, Origin payer, std::uint16_t count, Executor& executor) {
    const std::uint32_t unit = frontier.next_unit++;
    std::fill(ops_.lpns(id) + count, ops_.lpns(id) + unit_sectors_, nand::kNoLpn);
    ops_[id] = {OpKind::program, payer, count, frontier.superblock, unit, CommandId{}, 0};
    executor.issue({id, OpKind::program, payer, static_cast<std::uint16_t>(unit_sectors_),
                    static_cast<std::uint16_t>(pool_.planes()), static_cast<std::uint16_t>(pool_.page_of_unit(unit)),
                    pool_.die_of_unit(unit), CommandId{}});
}

void Ftl::complete(OpId id, Outcome outcome, Executor& executor) {
    static_cast<void>(outcome);  // Outcome has one value; failures join it with the reliability model
    switch (ops_[id].kind) {
        case OpKind::read:
            read_done(id, executor);
            break;
        case OpKind::program:
            program_done(id, executor);
            break;
        case OpKind::erase:
            erase_done(id);
            break;
    }
    pump(executor);
}

void Ftl::read_done(OpId id, Executor& executor) {
    const OpPool::Op op = ops_[id];
    ++counters_.reads[op.payer];
    pool_.unpin(op.superblock);
    if (op.payer == Origin::gc) {
        collector_.read_done(op, counters_);
    } else if (op.payer == Origin::rmw) {
        const SlotId slot{ops_.sources(id)[0]};
        if (!buffer_.requeue_whole(slot)) {
            release(slot, executor);
        }
    } else {
        finish_one(op.tag, executor);
    }
    ops_.give_back(id);
    if (pool_.state(op.superblock) == BlockPool::State::victim && pool_.pins(op.superblock) == 0) {
        collector_.erase_empty(executor);
        log_events();
    }
}

void Ftl::program_done(OpId id, Executor& executor) {
    const OpPool::Op op = ops_[id];
    array_.program(pool_.address(op.superblock, op.unit), {ops_.lpns(id), unit_sectors_}, ++sequence_);
    ++counters_.programs[op.payer];
    counters_.sectors_programmed[op.payer] += op.count;
    counters_.sectors_programmed[Origin::padding] += unit_sectors_ - op.count;
    const Ppa first = pool_.ppa(op.superblock, op.unit * unit_sectors_);
    if (op.payer == Origin::host) {
        host_program_done(id, first, executor);
    } else {
        gc_program_done(id, first);
    }
    pool_.add_filled(op.superblock, unit_sectors_);
    if (pool_.filled(op.superblock) == pool_.sectors()) {
        pool_.close(op.superblock);
    }
    ops_.give_back(id);
    if (op.payer == Origin::gc) {
        collector_.erase_empty(executor);
        log_events();
    }
}

void Ftl::host_program_done(OpId id, Ppa first, Executor& executor) {
    const std::uint32_t count = ops_[id].count;
    const std::uint32_t* lpns = ops_.lpns(id);
    const std::uint32_t* slots = ops_.sources(id);
    for (std::uint32_t i = 0; i < count;) {
        const Ppa base{first.value + i};
        const std::uint32_t end = std::min(count, i + ValidSectors::kWordBits);
        std::uint64_t installed = 0;
        for (std::uint64_t bit = 1; i < end; ++i, bit <<= 1U) {
            const SlotId slot{slots[i]};
            if (buffer_.is_newest(slot)) {
                buffer_.retire(slot);
                const Ppa old = map_.install(lpns[i], Ppa{first.value + i});
                if (old.valid()) {
                    pool_.invalidate(old);
                }
                installed |= bit;
            } else {
                ++counters_.born_invalid;
            }
            release(slot, executor);
        }
        pool_.validate(base, installed);
    }
}

void Ftl::gc_program_done(OpId id, Ppa first) {
    const std::uint32_t count = ops_[id].count;
    const std::uint32_t* lpns = ops_.lpns(id);
    const std::uint32_t* sources = ops_.sources(id);
    for (std::uint32_t i = 0; i < count;) {
        // A run of sectors that come from one victim.
        const SuperblockId victim = pool_.superblock_of(Ppa{sources[i]});
        const std::uint32_t begin = i;
        const std::uint32_t end = std::min(count, i + ValidSectors::kWordBits);
        std::uint64_t installed = 0;
        for (std::uint64_t bit = 1; i < end && pool_.superblock_of(Ppa{sources[i]}) == victim; ++i, bit <<= 1U) {
            if (pool_.is_valid(Ppa{sources[i]})) {
                map_.move(lpns[i], Ppa{first.value + i});
                pool_.take_from_victim(Ppa{sources[i]});
                installed |= bit;
            }
        }
        const auto moved = static_cast<std::uint32_t>(std::popcount(installed));
        pool_.taken_from_victim(victim, moved);
        pool_.validate(Ppa{first.value + begin}, installed);
        counters_.moves_dropped += i - begin - moved;
        collector_.settle(victim, moved, i - begin - moved);
    }
    collector_.program_done(count);
}

void Ftl::erase_done(OpId id) {
    const OpPool::Op op = ops_[id];
    ++counters_.erases[op.payer];
    array_.erase(pool_.address(op.superblock, op.unit));
    pool_.unpin(op.superblock);
    ops_.give_back(id);
    if (pool_.pins(op.superblock) > 0) {
        return;
    }
    erased_sectors_ += pool_.filled(op.superblock);
    pool_.recycle(op.superblock);
    collector_.erased();
    if (pool_.free_count() > params_.gc.reserve) {
        host_blocked_ = false;
    }
    update_trigger();
    if (idle_ && !trigger_->idle_wants(pool_.free_count())) {
        end_idle();
    }
}

void Ftl::log_events() {
    if (!collector_.has_events()) {
        return;
    }
    GcEvent event;
    while (collector_.take_event(event)) {
        ++counters_.victims;
        counters_.victim_valid_sectors += event.valid;
        if (observer_ != nullptr) {
            observer_->collected(event);
        }
    }
}

}  // namespace ftlab::ftl
