// SPDX-License-Identifier: MIT
#include "ftl/gc/collector.h"

#include <algorithm>

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

Collector::Collector(BlockPool& pool, PageMap& map, OpPool& ops, VictimPolicy& policy, const CollectorParams& params)
    : pool_{pool},
      map_{map},
      ops_{ops},
      policy_{policy},
      copy_{params.copy},
      // Never as much as two full victims hold: both read to the end, with less than a unit of them left, would leave
      // nothing but to pad that unit, and padding can cost all that the two victims gain.
      window_{std::clamp(params.window, pool.unit_sectors(), pool.sectors() - pool.unit_sectors())},
      ready_(static_cast<std::size_t>(window_) + pool.unit_sectors()),
      unit_(pool.unit_sectors()) {}

void Collector::reset() {
    victims_ = 0;
    ready_head_ = ready_count_ = formed_ = 0;
    FTLAB_CHECK(reading_ == 0 && programming_ == 0 && erasing_ == 0, "the collector is reset at rest");
    programming_phase_ = false;
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
    victim_[victims_++] = {sb, 0, 0, {sb, valid, 0, 0, pool_.free_count()}};
    pool_.take(sb);
    const double v = static_cast<double>(valid) / pool_.sectors();
    break_even_ = v < 1.0 ? v / (1.0 - v) : static_cast<double>(pool_.sectors());
    return true;
}

void Collector::prefetch_unit(const Victim& victim, std::uint32_t unit) const {
    if (unit >= pool_.units()) {
        return;
    }
    const std::uint32_t planes = pool_.planes();
    const std::uint32_t per_page = pool_.unit_sectors() / planes;
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
        const std::uint32_t* lpns = pool_.oob(victim.superblock, unit, plane);
        for (std::uint32_t s = 0; s < per_page; ++s) {
            map_.prefetch(lpns[s] == nand::kNoLpn ? 0 : lpns[s]);
        }
    }
}

bool Collector::scan_unit(Victim& victim, Executor& executor) {
    const std::uint32_t unit = victim.next_unit++;
    // The look-ups of a unit are independent cache misses, hidden by asking for them four units ahead.
    prefetch_unit(victim, unit + 4);
    const OpId id = ops_.take();
    OpPool::Entry* entries = ops_.entries(id);
    std::uint16_t count = 0;
    std::uint16_t planes_hit = 0;
    const std::uint32_t planes = pool_.planes();
    const std::uint32_t per_page = pool_.unit_sectors() / planes;
    Ppa ppa = pool_.ppa(victim.superblock, unit * pool_.unit_sectors());
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
        const std::uint32_t* lpns = pool_.oob(victim.superblock, unit, plane);
        const std::uint16_t before = count;
        for (std::uint32_t s = 0; s < per_page; ++s, ++ppa.value) {
            const std::uint32_t lpn = lpns[s];
            if (lpn != nand::kNoLpn && map_.find(lpn) == ppa) {
                entries[count++] = {lpn, ppa.value};
            }
        }
        planes_hit = static_cast<std::uint16_t>(planes_hit + (count != before ? 1 : 0));
    }
    if (count == 0) {
        ops_.give_back(id);
        return false;
    }
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
        programming_phase_ = gathered() >= pool_.unit_sectors() || programming_ > 0;
    } else {
        const bool full = gathered() >= window_ || !(scan_left() || more_victims());
        programming_phase_ = reading_ == 0 && full && gathered() >= pool_.unit_sectors();
    }
}

bool Collector::only_tail_left() const {
    return gathered() > 0 && gathered() < pool_.unit_sectors() && reading_ == 0 && programming_ == 0 && !scan_left() &&
           !more_victims();
}

bool Collector::tail_gains() const {
    std::uint32_t gain = gathered();
    for (std::uint32_t i = 0; i < victims_; ++i) {
        gain += pool_.sectors() - victim_[i].event.valid;
    }
    return gain > pool_.unit_sectors();
}

std::uint32_t Collector::form_unit(Counters& counters) {
    drop_stale(counters);
    while (formed_ < pool_.unit_sectors() && ready_count_ > 0) {
        const Sector s = ready_[ready_head_];
        ready_head_ = ready_head_ + 1 == ready_.size() ? 0 : ready_head_ + 1;
        --ready_count_;
        if (map_.find(s.lpn) == s.source) {
            unit_[formed_++] = s;
        } else {
            ++counters.moves_dropped;
            settle(s.source, false);
        }
    }
    return formed_;
}

void Collector::drop_stale(Counters& counters) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < formed_; ++i) {
        if (map_.find(unit_[i].lpn) == unit_[i].source) {
            unit_[kept++] = unit_[i];
        } else {
            ++counters.moves_dropped;
            settle(unit_[i].source, false);
        }
    }
    formed_ = kept;
}

void Collector::unit_issued() {
    programming_ += formed_;
    formed_ = 0;
}

void Collector::read_done(const OpPool::Entry* entries, std::uint32_t count) {
    reading_ -= count;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t at = (ready_head_ + ready_count_) % ready_.size();
        ready_[at] = {entries[i].lpn, Ppa{entries[i].source}};
        ++ready_count_;
    }
}

void Collector::settle(Ppa source, bool moved) {
    const SuperblockId sb = pool_.superblock_of(source);
    Victim& victim = victim_[0].superblock == sb ? victim_[0] : victim_[1];
    --victim.outstanding;
    ++(moved ? victim.event.moved : victim.event.dropped);
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
