// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ftl/block_pool.h"
#include "ftl/counters.h"
#include "ftl/flash_op.h"
#include "ftl/gc/victim.h"
#include "ftl/mapping/page_map.h"
#include "ftl/op_pool.h"

namespace ftlab::ftl {

/// How the collector copies a victim.
enum class CopyLoop : std::uint8_t {
    pipelined,  ///< reads run ahead of programs by up to the window
    stripe      ///< reads one window, waits for all reads, programs it, waits for all programs, repeats
};

struct CollectorParams {
    CopyLoop copy = CopyLoop::pipelined;
    std::uint32_t window = 2048;

    static void describe(config::Fields<CollectorParams>& f);
};

/// What garbage collection did to one victim, for the event log.
struct GcEvent {
    SuperblockId victim;
    std::uint32_t valid = 0;    ///< valid sectors when it was chosen
    std::uint32_t moved = 0;    ///< copied and installed
    std::uint32_t dropped = 0;  ///< lost against a host write or TRIM meanwhile
    std::uint32_t free = 0;     ///< free superblocks when it was chosen
};

/// Moves the valid sectors out of victims and erases them.  Decides what to read and when a victim is empty; when its
/// program units go out is the FTL's decision, by the trigger's pace.
///
/// Invariants:
/// (1) at most two victims are being copied: the tail of one and the head of the next;
/// (2) a victim's `outstanding` sectors are those read or being read and not yet installed or dropped;
/// (3) a victim is erased when it is scanned, nothing of it is outstanding and nobody reads it;
/// (4) at most two superblocks are being erased: victims without valid sectors do not all go at once.
class Collector {
public:
    struct Sector {
        std::uint32_t lpn = 0;
        Ppa source;
    };

    Collector(BlockPool& pool, PageMap& map, OpPool& ops, VictimPolicy& policy, const CollectorParams& params);

    /// Chooses victims, reads ahead and erases what turns out to be empty.  Returns true when a new victim was chosen:
    /// its break_even() is new.
    bool read_ahead(Executor& executor);
    /// Erases the victims that have become empty.
    void erase_empty(Executor& executor);
    /// The last erase of a victim has ended.
    void erased() { --erasing_; }

    /// A full program unit is at hand and may be programmed now.
    [[nodiscard]] bool unit_due() const { return may_program() && gathered() >= pool_.unit_sectors(); }
    /// All that is left is less than a unit and nothing more can be read: a padded unit is the only way on.
    [[nodiscard]] bool only_tail_left() const;
    /// Do the victims in progress free more than the padding of that unit takes?
    [[nodiscard]] bool tail_gains() const;
    /// Takes up to one unit of sectors that are still valid; what lost meanwhile is dropped.  Returns how many: fewer
    /// than a unit means that they must wait for more (they are kept for the next call).
    std::uint32_t form_unit(Counters& counters);
    [[nodiscard]] const Sector* unit() const { return unit_.data(); }
    /// The formed unit goes out.
    void unit_issued();

    void read_done(const OpPool::Entry* entries, std::uint32_t count);
    void program_done(std::uint32_t sectors) { programming_ -= sectors; }
    /// One sector of a victim is settled: moved, or dropped.
    void settle(Ppa source, bool moved);

    /// Is there anything to do or to gain?  False when every closed sector is valid and no victim is in progress.
    [[nodiscard]] bool can_progress() const { return victims_ > 0 || pool_.closed().reclaimable(); }
    /// Sectors to move for each sector gained from the current victim: v / (1 - v), as of its selection.
    [[nodiscard]] double break_even() const { return break_even_; }
    [[nodiscard]] std::uint32_t victims_in_progress() const { return victims_; }
    /// Sectors read and waiting to be programmed.
    [[nodiscard]] std::uint32_t gathered() const { return ready_count_ + formed_; }
    /// Sectors that the copy loop holds: being read, waiting, being programmed.
    [[nodiscard]] std::uint32_t sectors_in_flight() const { return reading_ + gathered() + programming_; }

    /// Takes the next finished victim's event; false when there is none.
    bool take_event(GcEvent& event);

    /// Forgets everything: only when the drive is erased and nothing is in flight.
    void reset();

private:
    struct Victim {
        SuperblockId superblock;
        std::uint32_t next_unit = 0;
        std::uint32_t outstanding = 0;
        GcEvent event;
    };
    [[nodiscard]] bool may_program() const { return copy_ == CopyLoop::pipelined || programming_phase_; }
    [[nodiscard]] bool window_open() const {
        return copy_ == CopyLoop::pipelined ? sectors_in_flight() < window_
                                            : !programming_phase_ && reading_ + gathered() < window_;
    }
    bool scan_unit(Victim& victim, Executor& executor);
    // Inlined always: GCC 12 takes a function that only prefetches for one without effect and drops its calls.
    [[gnu::always_inline]] inline void prefetch_unit(const Victim& victim, std::uint32_t unit) const;
    bool choose_victim();
    /// May another victim be chosen, now or when an erase ends?
    [[nodiscard]] bool more_victims() const { return victims_ < victim_.size() && pool_.closed().reclaimable(); }
    void drop_stale(Counters& counters);
    void turn_phase();
    [[nodiscard]] bool scan_left() const;

    BlockPool& pool_;
    PageMap& map_;
    OpPool& ops_;
    VictimPolicy& policy_;
    CopyLoop copy_;
    std::uint32_t window_;

    std::array<Victim, 2> victim_{};
    std::uint32_t victims_ = 0;
    std::uint32_t erasing_ = 0;  // superblocks
    double break_even_ = 0;

    std::vector<Sector> ready_;  // ring of sectors read and not yet formed into a unit
    std::uint32_t ready_head_ = 0;
    std::uint32_t ready_count_ = 0;
    std::vector<Sector> unit_;
    std::uint32_t formed_ = 0;
    std::uint32_t reading_ = 0;      // sectors in reads in flight
    std::uint32_t programming_ = 0;  // sectors in programs in flight
    bool programming_phase_ = false;

    std::vector<GcEvent> events_;
};

}  // namespace ftlab::ftl

template <>
struct ftlab::config::EnumNames<ftlab::ftl::CopyLoop> {
    static constexpr EnumName<ftl::CopyLoop> kNames[] = {{ftl::CopyLoop::pipelined, "pipelined"},
                                                         {ftl::CopyLoop::stripe, "stripe"}};
};
