// SPDX-License-Identifier: MIT
#include "ftl/gc/collector.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace ftlab::ftl {

namespace {
constexpr std::uint32_t kMostErasing = 2;  // chosen: enough to keep copying while an erase runs
}

void CollectorParams::describe(config::Fields<CollectorParams>& f) {
    f("copy", &CollectorParams::copy,
      "pipelined: reads run ahead of programs; stripe: read a window, wait, program it, wait, repeat");
    f("window", &CollectorParams::window,
      "sectors that the copy loop holds in DRAM at most; never more than a superblock less one program unit")
        .range(1, 1'000'000);
}

Collector::Collector(BlockPool& pool, OpPool& ops, VictimPolicy& policy, const CollectorParams& params)
    : pool_{pool},
      ops_{ops},
      policy_{policy},
      copy_{params.copy},
      // Never as much as two full victims hold: both read to the end, with less than a unit of them left, would leave
      // nothing but to pad that unit, and padding can cost all that the two victims gain.
      window_{std::clamp(params.window, pool.unit_sectors(), pool.sectors() - pool.unit_sectors())},
      per_page_{pool.unit_sectors() / pool.planes()},
      ready_(static_cast<std::size_t>(window_) * 3 / 2 + pool.unit_sectors()),
      stripe_{window_} {}

void Collector::reset() {
    victims_ = 0;
    ready_head_ = ready_count_ = gathered_ = 0;
    FTLAB_CHECK(reading_ == 0 && programming_ == 0 && erasing_ == 0, "the collector is reset at rest");
    programming_phase_ = false;
    demand(0);
    stripe_ = window_;
    into_window_ = 0;
}

bool Collector::scan_left() const {
    for (std::uint32_t i = 0; i < victims_; ++i) {
        if (victim_[i].next_unit < pool_.units()) {
            return true;
        }
    }
    return false;
}

bool Collector::choose_victim() {
    if (!more_victims() || erasing_ >= kMostErasing) {
        return false;
    }
    const SuperblockId sb = policy_.choose(pool_.closed());
    const std::uint32_t valid = pool_.valid(sb);
    if (pool_.sectors() - valid < least_gain_) {
        refused_ = true;
        return false;
    }
    victim_[victims_++] = {sb, 0, 0, {sb, valid, 0, 0, pool_.free_count()}};
    pool_.take(sb);
    const double v = static_cast<double>(valid) / pool_.sectors();
    break_even_ = v < 1.0 ? v / (1.0 - v) : static_cast<double>(pool_.sectors());
    return true;
}

bool Collector::scan_unit(Victim& victim, Executor& executor) {
    const std::uint32_t unit = victim.next_unit++;
    std::uint16_t count = 0;
    std::uint16_t planes_hit = 0;
    Ppa first = pool_.ppa(victim.superblock, unit * pool_.unit_sectors());
    for (std::uint32_t plane = 0; plane < pool_.planes(); ++plane, first.value += per_page_) {
        const std::uint64_t valid = pool_.valid_bits(first, per_page_);
        planes_hit = static_cast<std::uint16_t>(planes_hit + (valid != 0 ? 1 : 0));
        count = static_cast<std::uint16_t>(count + std::popcount(valid));
    }
    if (count == 0) {
        return false;
    }
    const OpId id = ops_.take();
    ops_[id] = {OpKind::read, Origin::gc, count, victim.superblock, unit, CommandId{}, 0};
    victim.outstanding += count;
    reading_ += count;
    pool_.pin(victim.superblock);
    executor.issue({id, OpKind::read, Origin::gc, count, planes_hit,
                    static_cast<std::uint16_t>(pool_.page_of_unit(unit)), pool_.die_of_unit(unit), CommandId{}});
    return true;
}

bool Collector::read_ahead(Executor& executor) {
    bool chosen = false;
    turn_phase();
    while (window_open()) {
        Victim* victim = nullptr;
        for (std::uint32_t i = 0; i < victims_ && victim == nullptr; ++i) {
            victim = victim_[i].next_unit < pool_.units() ? &victim_[i] : nullptr;
        }
        if (victim == nullptr) {
            erase_empty(executor);
            if (!choose_victim()) {
                break;
            }
            chosen = true;
            continue;
        }
        // A unit may exceed the window by its own size: reads are of whole units.
        scan_unit(*victim, executor);
    }
    turn_phase();
    return chosen;
}

void Collector::turn_phase() {
    if (copy_ != CopyLoop::stripe) {
        return;
    }
    if (programming_phase_) {
        programming_phase_ = gathered_ >= pool_.unit_sectors() || programming_ > 0;
        stripe_ = next_stripe();
    } else {
        const bool full = gathered_ >= stripe_ || !(scan_left() || more_victims());
        programming_phase_ = reading_ == 0 && full && gathered_ >= pool_.unit_sectors();
    }
}

/// A stripe ends where the frontier's does.  Where the last one fell short, because the host rewrote some of its
/// sectors before they were programmed, the next one makes up for it.  Else the stripes would slip against the rows of
/// pages, and each would wait for slow MSB programs issued last (measured: up to 12% less throughput, at random).
std::uint32_t Collector::next_stripe() const {
    const std::uint32_t left = window_ - into_window_;
    const std::uint32_t most = pool_.sectors() - pool_.unit_sectors();
    return std::max(left < window_ / 2 && left + window_ <= most ? left + window_ : left, pool_.unit_sectors());
}

bool Collector::only_tail_left() const {
    return gathered_ > 0 && gathered_ < pool_.unit_sectors() && reading_ == 0 && programming_ == 0 && !scan_left() &&
           !more_victims();
}

bool Collector::tail_gains() const {
    std::uint32_t gain = gathered();
    for (std::uint32_t i = 0; i < victims_; ++i) {
        gain += pool_.sectors() - victim_[i].event.valid;
    }
    return gain > pool_.unit_sectors();
}

bool Collector::gains(std::uint32_t least) const {
    std::uint64_t gain = 0;
    for (std::uint32_t i = 0; i < victims_; ++i) {
        gain += pool_.sectors() - pool_.valid(victim_[i].superblock);
    }
    return gain >= std::uint64_t{least} * victims_;
}

void Collector::drop_lost(Page& page, Counters& counters) {
    const auto now = page.left & static_cast<std::uint32_t>(pool_.valid_bits(page.first, per_page_));
    if (now == page.left) [[likely]] {
        return;
    }
    const auto lost = static_cast<std::uint32_t>(std::popcount(page.left ^ now));
    page.left = now;
    gathered_ -= lost;
    counters.moves_dropped += lost;
    settle(pool_.superblock_of(page.first), 0, lost);
}

std::uint32_t Collector::sift(Counters& counters) {
    std::uint32_t found = 0;
    std::uint32_t empty = 0;
    std::uint32_t seen = 0;
    for (; seen < ready_count_ && found < pool_.unit_sectors(); ++seen) {
        Page& page = ready_[ready_index(seen)];
        drop_lost(page, counters);
        found += static_cast<std::uint32_t>(std::popcount(page.left));
        empty += page.left == 0 ? 1U : 0U;
    }
    if (empty > 0) [[unlikely]] {
        // The rest of what was seen moves up: empty pages must not fill the ring.
        std::uint32_t to = seen;
        for (std::uint32_t from = seen; from-- > 0;) {
            if (ready_[ready_index(from)].left != 0) {
                ready_[ready_index(--to)] = ready_[ready_index(from)];
            }
        }
        ready_head_ = ready_index(empty);
        ready_count_ -= empty;
    }
    return std::min(found, pool_.unit_sectors());
}

void Collector::take(std::uint32_t count, std::uint32_t* lpns, std::uint32_t* sources) {
    gathered_ -= count;
    programming_ += count;
    into_window_ = (into_window_ + pool_.unit_sectors()) % window_;
    for (std::uint32_t taken = 0; taken < count;) {
        Page& page = ready_[ready_head_];
        for (; page.left != 0 && taken < count; page.left &= page.left - 1, ++taken) {
            const auto sector = static_cast<std::uint32_t>(std::countr_zero(page.left));
            lpns[taken] = page.lpns[sector];
            sources[taken] = page.first.value + sector;
        }
        if (page.left == 0) {
            ready_head_ = ready_index(1);
            --ready_count_;
        }
    }
}

void Collector::read_done(const OpPool::Op& op, Counters& counters) {
    reading_ -= op.count;
    std::uint32_t left = 0;
    Ppa first = pool_.ppa(op.superblock, op.unit * pool_.unit_sectors());
    for (std::uint32_t plane = 0; plane < pool_.planes(); ++plane, first.value += per_page_) {
        const auto valid = static_cast<std::uint32_t>(pool_.valid_bits(first, per_page_));
        if (valid != 0) {
            ready_[ready_index(ready_count_++)] = {first, valid, pool_.oob(op.superblock, op.unit, plane)};
            left += static_cast<std::uint32_t>(std::popcount(valid));
        }
    }
    gathered_ += left;
    if (left != op.count) {
        counters.moves_dropped += op.count - left;
        settle(op.superblock, 0, op.count - left);
    }
}

void Collector::settle(SuperblockId victim, std::uint32_t moved, std::uint32_t dropped) {
    Victim& v = victim_[0].superblock == victim ? victim_[0] : victim_[1];
    v.outstanding -= moved + dropped;
    v.event.moved += moved;
    v.event.dropped += dropped;
}

void Collector::erase_empty(Executor& executor) {
    for (std::uint32_t i = 0; i < victims_;) {
        Victim& victim = victim_[i];
        if (victim.next_unit < pool_.units() || victim.outstanding > 0 || pool_.pins(victim.superblock) > 0) {
            ++i;
            continue;
        }
        for (std::uint32_t die = 0; die < pool_.dies(); ++die) {
            const OpId id = ops_.take();
            ops_[id] = {OpKind::erase, Origin::gc, 0, victim.superblock, die, CommandId{}, 0};
            pool_.pin(victim.superblock);
            executor.issue({id, OpKind::erase, Origin::gc, 0, static_cast<std::uint16_t>(pool_.planes()), 0,
                            pool_.die_of_unit(die), CommandId{}});
        }
        ++erasing_;
        events_.push_back(victim.event);
        victim_[i] = victim_[victims_ - 1];
        --victims_;
    }
}

bool Collector::take_event(GcEvent& event) {
    if (events_.empty()) {
        return false;
    }
    event = events_.front();
    events_.erase(events_.begin());
    return true;
}

}  // namespace ftlab::ftl
