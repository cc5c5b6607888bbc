// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "ftl/block_pool.h"
#include "ftl/counters.h"
#include "ftl/flash_op.h"
#include "ftl/gc/collector.h"
#include "ftl/gc/trigger.h"
#include "ftl/gc/victim.h"
#include "ftl/mapping/page_map.h"
#include "ftl/op_pool.h"
#include "ftl/params.h"
#include "ftl/write_buffer.h"
#include "nand/array.h"
#include "sim/base/units.h"

namespace ftlab::ftl {

/// Superblocks that are written at a time: one for the host, one for garbage collection.
inline constexpr std::uint32_t kOpenSuperblocks = 2;

/// A host write, or one burst of it.  Data in 512 B LBAs.
struct HostWrite {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
    bool fua = false;             ///< `tag` finishes when this data is programmed
    bool last_of_command = true;  ///< no further burst of the same FUA command follows
    CommandId tag;
};

enum class Admission : std::uint8_t { accepted, buffer_full, no_free_block };

/// All that the FTL ever sees of "when".
struct Opportunity {
    Time now;
    Duration idle_for;
    std::uint32_t waiting_commands = 0;
};

/// Hears of every victim that was collected.
class GcObserver {
public:
    virtual void collected(const GcEvent& event) = 0;

protected:
    ~GcObserver() = default;
};

/// The flash translation layer: decides, never waits.  The array is durable, the Ftl is volatile.
///
/// Contract (architecture section 2):
/// (1) acknowledged data is in the write buffer until its program ends; a read of it is served from there;
/// (2) host data is installed when its program completes, and only if its slot is still the newest copy;
/// (3) a moved sector is installed only if the map still points to its source;
/// (4) a superblock is erased when nothing in flight reads, moves or programs it;
/// (5) programs and erases of a die are issued in the order in which they must be carried out.
///
/// The executor calls complete() for every operation it took, and offer() after admissions and when the host falls
/// silent.  No method allocates in steady state.
class Ftl {
public:
    /// Takes over an erased array.  `user_sectors` 4 KiB sectors are exported; the caller has checked that they fit
    /// (see min_superblocks()).
    Ftl(nand::Array& array, const FtlParams& params, std::uint32_t user_sectors, const RandomStreams& random);
    Ftl(const Ftl&) = delete;
    Ftl& operator=(const Ftl&) = delete;

    /// Superblocks a drive needs so that it can always collect: user data, both open superblocks, the reserve and one
    /// to gain from.
    [[nodiscard]] static std::uint32_t min_superblocks(std::uint32_t user_sectors,
                                                       std::uint32_t sectors_per_superblock,
                                                       std::uint32_t reserve);

    [[nodiscard]] std::uint32_t user_sectors() const { return map_.size(); }

    /// 4 KiB slots of the write buffer that are free: a write of that many sectors is accepted now.
    [[nodiscard]] std::uint32_t room() const { return buffer_.free(); }
    /// The most sectors that a write may wait for: room() comes back to this much by itself.  Above it, less than a
    /// program unit may stay in the buffer until further writes fill it up, and a waiting write would wait for itself.
    [[nodiscard]] std::uint32_t burst() const { return buffer_.capacity() - unit_sectors_ + 1; }
    /// Stores the data in the write buffer.  With too little room nothing happens and the result says why; the executor
    /// tries again after complete().  Writes of more than burst() sectors must come in bursts.
    Admission write(const HostWrite& write, Executor& executor);
    /// Why a write must wait: the host may not open a superblock before garbage collection frees one.
    [[nodiscard]] bool host_blocked() const { return host_blocked_; }
    /// Garbage collection is due or running.
    [[nodiscard]] bool collecting() const { return active_ || host_blocked_ || idle_; }

    /// Reads LBAs [first, first + count): `tag` finishes when the last flash read completes, at once when none is
    /// needed.
    void read(std::uint64_t first, std::uint32_t count, CommandId tag, Executor& executor);
    /// Forgets the whole sectors in [first, first + count); parts of sectors at the ends keep their data.
    void trim(std::uint64_t first, std::uint64_t count, CommandId tag, Executor& executor);
    /// `tag` finishes when every earlier write is programmed.
    void flush(CommandId tag, Executor& executor);
    /// Back to the state of delivery: every superblock erased, nothing mapped.  Only when drained().
    void secure_erase();

    void complete(OpId op, Outcome outcome, Executor& executor);
    /// The executor has room, or time has passed: go on with whatever is due.  Returns how much longer the host must be
    /// silent until the next call is wanted; nullopt when no call is.
    std::optional<Duration> offer(const Opportunity& opportunity, Executor& executor);
    /// The executor has room again: go on with whatever is due.
    void resume(Executor& executor) { pump(executor); }
    /// Issue nothing new until released: lets what is in flight end, before the drive's state is used untimed.
    void hold(bool on) { held_ = on; }

    /// Nothing in flight and no command waiting.  Data may still be in the write buffer.
    [[nodiscard]] bool drained() const { return ops_.in_flight() == 0 && flushes_.empty() && !buffer_.has_waiters(); }
    /// Brings the map entries of an upcoming write or read near: call some commands ahead.
    void prefetch(std::uint64_t first_lba) const {
        map_.prefetch(static_cast<std::uint32_t>(first_lba / kLbasPerSector));
    }

    void observe_gc(GcObserver* observer) { observer_ = observer; }

    [[nodiscard]] const Counters& counters() const { return counters_; }
    [[nodiscard]] const BlockPool& pool() const { return pool_; }
    [[nodiscard]] const PageMap& map() const { return map_; }
    [[nodiscard]] const WriteBuffer& buffer() const { return buffer_; }
    [[nodiscard]] const OpPool& operations() const { return ops_; }
    [[nodiscard]] const Collector& collector() const { return collector_; }
    [[nodiscard]] const nand::Array& array() const { return array_; }
    /// Where a sector's data is: for tests and tools.
    [[nodiscard]] bool in_buffer(std::uint32_t lpn) const { return buffer_.find(lpn).valid(); }

    /// The identities of theory.md that cost nothing: sums of valid, mapped, programmed and erased sectors.
    void check_identities() const;
    /// Everything, including that each map entry's out-of-band lpn points back; O(capacity).
    void check_invariants() const;

private:
    struct Frontier {
        SuperblockId superblock;
        std::uint32_t next_unit = 0;
    };
    struct Flush {
        std::uint32_t epoch = 0;
        CommandId tag;
    };

    void pump(Executor& executor);
    void change_rate(MoveRate rate);
    void end_idle();
    /// Says whether anything has changed.
    bool issue_gc_unit(Executor& executor);
    bool issue_host_unit(Executor& executor);
    void stage_host_slots(Executor& executor);
    void start_rmw(SlotId slot, Executor& executor);
    void issue_program(Frontier& frontier, OpId id, Origin payer, std::uint16_t count, Executor& executor);
    /// Is there a superblock to write to?  May open one.
    bool host_frontier_ready();
    bool gc_frontier_ready();
    /// Does a command wait for data whose program has not begun?  Then less than a unit goes out, padded; but reads
    /// that are about to fill it up are awaited.
    [[nodiscard]] bool urgent() const {
        return (buffer_.flush_waits() || buffer_.has_waiters()) && buffer_.reading() == 0;
    }

    void host_program_done(OpId id, Ppa first, Executor& executor);
    void gc_program_done(OpId id, Ppa first);
    void program_done(OpId id, Executor& executor);
    void read_done(OpId id, Executor& executor);
    void erase_done(OpId id);
    void release(SlotId slot, Executor& executor);
    void finish_one(CommandId tag, Executor& executor);
    void update_trigger();
    void log_events();

    nand::Array& array_;
    FtlParams params_;
    BlockPool pool_;
    PageMap map_;
    WriteBuffer buffer_;
    OpPool ops_;
    std::unique_ptr<VictimPolicy> victim_policy_;
    std::unique_ptr<GcTrigger> trigger_;
    Collector collector_;
    Counters counters_;
    GcObserver* observer_ = nullptr;

    std::uint32_t unit_sectors_;
    Frontier host_, gc_;
    std::vector<SlotId> staged_;  // slots taken for the next host unit
    std::uint64_t sequence_ = 0;
    std::uint64_t erased_sectors_ = 0;  // sectors that erased superblocks held: for the identities

    bool active_ = false;                // the trigger wants collection
    bool host_blocked_ = false;          // the host waits for a superblock
    bool idle_ = false;                  // idle collection is on
    std::uint32_t idle_from_ = 0;        // free superblocks when it began
    std::uint32_t idle_least_gain_ = 0;  // sectors that a victim must free for it
    bool held_ = false;
    std::int64_t debt_q16_ = 0;
    MoveRate rate_;

    std::deque<Flush> flushes_;
    std::vector<std::uint32_t> pending_;  // by command: flash reads or slots it waits for
};

}  // namespace ftlab::ftl
