// SPDX-License-Identifier: MIT
#include "ftl/ftl.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace ftlab::ftl {

namespace {
constexpr SectorMask mask_of(std::uint32_t from, std::uint32_t to) {
    return static_cast<SectorMask>(((1U << to) - 1U) & ~((1U << from) - 1U));
}
}  // namespace

Ftl::Ftl(nand::Array& array, const FtlParams& params, std::uint32_t user_sectors, const RandomStreams& random)
    : array_{array},
      params_{params},
      pool_{array, params.held_back_superblocks},
      map_{user_sectors},
      buffer_{static_cast<std::uint32_t>(params.write_buffer.size / kSectorSize)},
      ops_{pool_.unit_sectors()},
      victim_policy_{params.gc.victim.make(random)},
      trigger_{params.gc.trigger.make(random)},
      collector_{pool_, ops_, *victim_policy_, params.gc.collector},
      unit_sectors_{pool_.unit_sectors()} {
    FTLAB_CHECK(pool_.superblocks() >= min_superblocks(user_sectors, pool_.sectors(), params.gc.reserve),
                "the user capacity fits the flash");
    FTLAB_CHECK(buffer_.capacity() >= unit_sectors_, "the write buffer holds a program unit");
    staged_.reserve(unit_sectors_);
    idle_least_gain_ = static_cast<std::uint32_t>(std::ceil(trigger_->idle_least_gain().value * pool_.sectors()));
    trigger_->busy_period_begins(pool_.free_count());
    update_trigger();
}

std::uint32_t Ftl::min_superblocks(std::uint32_t user_sectors,
                                   std::uint32_t sectors_per_superblock,
                                   std::uint32_t reserve) {
    return (user_sectors + sectors_per_superblock - 1) / sectors_per_superblock + kOpenSuperblocks + reserve + 1;
}

Admission Ftl::write(const HostWrite& write, Executor& executor) {
    const std::uint64_t end = write.first + write.count;
    FTLAB_CHECK(write.count > 0 && end <= std::uint64_t{map_.size()} * kLbasPerSector, "the write lies on the drive");
    const auto first_lpn = static_cast<std::uint32_t>(write.first / kLbasPerSector);
    const auto last_lpn = static_cast<std::uint32_t>((end - 1) / kLbasPerSector);
    const std::uint32_t sectors = last_lpn - first_lpn + 1;
    if (buffer_.free() < sectors) {
        FTLAB_CHECK(sectors <= burst(), "a write that has to wait comes in bursts");
        return host_blocked_ ? Admission::no_free_block : Admission::buffer_full;
    }
    if (write.fua) {
        if (pending_.size() <= write.tag.index()) {
            pending_.resize(write.tag.index() + 1);
        }
        // One more than the slots until the last burst is in, so that the command cannot finish between bursts.
        pending_[write.tag.index()] += pending_[write.tag.index()] == 0 ? 1U : 0U;
    }
    counters_.host_sectors_received += sectors;
    for (std::uint32_t lpn = first_lpn; lpn <= last_lpn; ++lpn) {
        const std::uint64_t base = std::uint64_t{lpn} * kLbasPerSector;
        const auto from = static_cast<std::uint32_t>(std::max(write.first, base) - base);
        const auto to = static_cast<std::uint32_t>(std::min(end, base + kLbasPerSector) - base);
        const WriteBuffer::Put put = buffer_.put(lpn, mask_of(from, to));
        counters_.host_sectors_coalesced += put.coalesced ? 1U : 0U;
        counters_.rmw_sectors_spared += put.merged ? 1U : 0U;
        if (write.fua) {
            buffer_.add_waiter(put.slot, write.tag);
            ++pending_[write.tag.index()];
        }
    }
    if (write.fua && write.last_of_command) {
        finish_one(write.tag, executor);
    }
    pump(executor);
    return Admission::accepted;
}

void Ftl::read(std::uint64_t first, std::uint32_t count, CommandId tag, Executor& executor) {
    const std::uint64_t end = first + count;
    FTLAB_CHECK(count > 0 && end <= std::uint64_t{map_.size()} * kLbasPerSector, "the read lies on the drive");
    const auto last_lpn = static_cast<std::uint32_t>((end - 1) / kLbasPerSector);
    std::uint32_t reads = 0;
    for (auto lpn = static_cast<std::uint32_t>(first / kLbasPerSector); lpn <= last_lpn;) {
        ++counters_.host_sectors_read;
        if (buffer_.used() > 0) {
            const SlotId slot = buffer_.find(lpn);
            if (slot.valid() && buffer_.whole(slot)) {
                ++counters_.read_from_buffer;
                ++lpn;
                continue;
            }
        }
        const Ppa ppa = map_.find(lpn);
        if (!ppa.valid()) {
            ++counters_.read_unmapped;
            ++lpn;
            continue;
        }
        // Following sectors in the same unit ride on the same multi-plane read.
        const SuperblockId sb = pool_.superblock_of(ppa);
        const std::uint32_t offset = pool_.offset_of(ppa);
        const std::uint32_t unit = offset / unit_sectors_;
        const std::uint32_t room_in_unit = (unit + 1) * unit_sectors_ - offset;
        std::uint32_t sectors = 1;
        while (sectors < room_in_unit && lpn + sectors <= last_lpn &&
               map_.find(lpn + sectors) == Ppa{ppa.value + sectors} &&
               (buffer_.used() == 0 || !buffer_.find(lpn + sectors).valid())) {
            ++sectors;
        }
        counters_.host_sectors_read += sectors - 1;
        const std::uint32_t per_page = unit_sectors_ / pool_.planes();
        const std::uint32_t at = offset - unit * unit_sectors_;
        const std::uint32_t planes = (at + sectors - 1) / per_page - at / per_page + 1;
        const OpId id = ops_.take();
        ops_[id] = {OpKind::read, Origin::host, static_cast<std::uint16_t>(sectors), sb, unit, tag, 0};
        pool_.pin(sb);
        ++reads;
        executor.issue({id, OpKind::read, Origin::host, static_cast<std::uint16_t>(sectors),
                        static_cast<std::uint16_t>(planes), static_cast<std::uint16_t>(pool_.page_of_unit(unit)),
                        pool_.die_of_unit(unit), tag});
        lpn += sectors;
    }
    if (reads == 0) {
        executor.finished(tag, Outcome::ok);
        return;
    }
    if (pending_.size() <= tag.index()) {
        pending_.resize(tag.index() + 1);
    }
    pending_[tag.index()] = reads;
}

void Ftl::trim(std::uint64_t first, std::uint64_t count, CommandId tag, Executor& executor) {
    const std::uint64_t end = first + count;
    FTLAB_CHECK(end <= std::uint64_t{map_.size()} * kLbasPerSector, "the trim lies on the drive");
    const std::uint64_t last = end / kLbasPerSector;
    for (std::uint64_t i = (first + kLbasPerSector - 1) / kLbasPerSector; i < last; ++i) {
        const auto lpn = static_cast<std::uint32_t>(i);
        bool held = false;
        if (buffer_.used() > 0) {
            const WriteBuffer::Drop drop = buffer_.drop(lpn);
            held = drop.found;
            if (drop.release.valid()) {
                release(drop.release, executor);
            }
        }
        const Ppa old = map_.remove(lpn);
        if (old.valid()) {
            pool_.invalidate(old);
            held = true;
        }
        counters_.sectors_trimmed += held ? 1U : 0U;
    }
    executor.finished(tag, Outcome::ok);
    pump(executor);
}

void Ftl::flush(CommandId tag, Executor& executor) {
    const std::uint32_t epoch = buffer_.close_epoch();
    if (buffer_.epoch_done(epoch) && flushes_.empty()) {
        executor.finished(tag, Outcome::ok);
        return;
    }
    flushes_.push_back({epoch, tag});
    pump(executor);
}

void Ftl::secure_erase() {
    FTLAB_CHECK(drained(), "a secure erase waits until the drive is at rest");
    while (!staged_.empty()) {
        buffer_.retire(staged_.back());
        buffer_.release(staged_.back());
        staged_.pop_back();
    }
    while (buffer_.dirty() > 0) {
        const SlotId slot = buffer_.pop_dirty();
        buffer_.retire(slot);
        buffer_.release(slot);
    }
    for (std::uint32_t lpn = 0; lpn < map_.size(); ++lpn) {
        map_.remove(lpn);
    }
    erased_sectors_ += pool_.total_filled();
    counters_.erases[Origin::host] += pool_.erase_all();
    collector_.reset();
    host_ = gc_ = Frontier{};
    host_blocked_ = idle_ = active_ = false;
    debt_q16_ = 0;
    trigger_->busy_period_begins(pool_.free_count());
    update_trigger();
}

void Ftl::finish_one(CommandId tag, Executor& executor) {
    if (--pending_[tag.index()] == 0) {
        executor.finished(tag, Outcome::ok);
    }
}

void Ftl::release(SlotId slot, Executor& executor) {
    for (CommandId tag = buffer_.pop_waiter(slot); tag.valid(); tag = buffer_.pop_waiter(slot)) {
        finish_one(tag, executor);
    }
    buffer_.release(slot);
    while (!flushes_.empty() && buffer_.epoch_done(flushes_.front().epoch)) {
        const CommandId tag = flushes_.front().tag;
        flushes_.pop_front();
        executor.finished(tag, Outcome::ok);
    }
}

std::optional<Duration> Ftl::offer(const Opportunity& opportunity, Executor& executor) {
    std::optional<Duration> again;
    const std::optional<Duration> wait = trigger_->idle_after();
    if (wait.has_value()) {
        if (opportunity.waiting_commands > 0 || opportunity.idle_for < *wait) {
            if (idle_) {
                end_idle();
            }
            again = *wait - std::min(opportunity.idle_for, *wait);
        } else if (!idle_ && trigger_->idle_wants(pool_.free_count())) {
            idle_ = true;
            idle_from_ = pool_.free_count();
        }
    }
    pump(executor);
    return again;
}

void Ftl::end_idle() {
    idle_ = false;
    collector_.demand(0);
    // Only a pool that has grown buys back the fast stage; a pause without anything to gain leaves the mark alone.
    if (pool_.free_count() > idle_from_) {
        trigger_->busy_period_begins(pool_.free_count());
    }
    update_trigger();
}

void Ftl::update_trigger() {
    const std::uint32_t free = pool_.free_count();
    active_ = trigger_->active(free, active_);
    if (!active_) {
        debt_q16_ = 0;  // what was not collected is not owed: the pool is full enough
    }
}

void Ftl::check_identities() const {
    FTLAB_CHECK(pool_.total_valid() == map_.mapped(), "valid sectors are the mapped sectors");
    FTLAB_CHECK(counters_.sectors_programmed.total() == pool_.total_filled() + erased_sectors_,
                "every programmed sector lies in a superblock or was erased with one");
    FTLAB_CHECK(counters_.sectors_programmed.total() == counters_.programs.total() * std::uint64_t{unit_sectors_},
                "programs are whole units");
}

void Ftl::check_invariants() const {
    check_identities();
    pool_.check_invariants();
    buffer_.check_invariants();
    std::vector<std::uint32_t> valid(pool_.superblocks());
    const std::uint32_t per_page = unit_sectors_ / pool_.planes();
    for (std::uint32_t lpn = 0; lpn < map_.size(); ++lpn) {
        const Ppa ppa = map_.find(lpn);
        if (!ppa.valid()) {
            continue;
        }
        const SuperblockId sb = pool_.superblock_of(ppa);
        const std::uint32_t offset = pool_.offset_of(ppa);
        const std::uint32_t in_unit = offset % unit_sectors_;
        ++valid[sb.index()];
        FTLAB_CHECK(pool_.is_valid(ppa), "a sector that the map points to is valid");
        FTLAB_CHECK(pool_.oob(sb, offset / unit_sectors_, in_unit / per_page)[in_unit % per_page] == lpn,
                    "the flash says of a mapped sector which logical page it holds");
    }
    for (std::uint32_t i = 0; i < pool_.superblocks(); ++i) {
        FTLAB_CHECK(valid[i] == pool_.valid(SuperblockId{i}), "valid counts equal the map entries that point there");
    }
}

}  // namespace ftlab::ftl
