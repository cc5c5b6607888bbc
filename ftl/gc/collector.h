// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ftl/block_pool.h"
#include "ftl/counters.h"
#include "ftl/flash_op.h"
#include "ftl/gc/victim.h"
#include "ftl/op_pool.h"

namespace ftlab::ftl {

/// How the collector copies a victim.
enum class CopyLoop : std::uint8_t {
    pipelined,  ///< reads run ahead of programs by up to the window
    stripe      ///< reads a stripe of one window, waits for all reads, programs it, waits for all programs, repeats
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
/// (2) a victim's `outstanding` sectors are those read or being read and not yet installed or dropped; none of them
///     becomes valid again once it has lost;
/// (3) a victim is erased when it is scanned, nothing of it is outstanding and nobody reads it;
/// (4) at most two superblocks are being erased: victims without valid sectors do not all go at once.
class Collector {
public:
    Collector(BlockPool& pool, OpPool& ops, VictimPolicy& policy, const CollectorParams& params);

    /// From now on takes no victim that has fewer sectors to gain; 0 for whatever the policy says.
    void demand(std::uint32_t least_gain) {
        refused_ = refused_ && least_gain == least_gain_;
        least_gain_ = least_gain;
    }
    /// Do the victims in progress free at least this many sectors each, on average and as of now?
    [[nodiscard]] bool gains(std::uint32_t least) const;

    /// Chooses victims, reads ahead and erases what turns out to be empty.  Returns true when a new victim was chosen:
    /// its break_even() is new.
    bool read_ahead(Executor& executor);
    /// Erases the victims that have become empty.
    void erase_empty(Executor& executor);
    /// The last erase of a victim has ended.
    void erased() { --erasing_; }

    /// A full program unit is at hand and may be programmed now.
    [[nodiscard]] bool unit_due() const { return may_program() && gathered_ >= pool_.unit_sectors(); }
    /// All that is left is less than a unit and nothing more can be read: a padded unit is the only way on.
    [[nodiscard]] bool only_tail_left() const;
    /// Do the victims in progress free more than the padding of that unit takes?
    [[nodiscard]] bool tail_gains() const;
    /// Of the oldest sectors read, drops those that lost against the host, until a whole unit is at hand or none is
    /// left.  Returns how many are at hand: up to a unit.
    std::uint32_t sift(Counters& counters);
    /// Takes the first `count` sectors, which sift() has found, for a program that goes out now.
    void take(std::uint32_t count, std::uint32_t* lpns, std::uint32_t* sources);

    /// A read of `count` sectors has ended; what lost meanwhile is dropped.
    void read_done(const OpPool::Op& op, Counters& counters);
    void program_done(std::uint32_t sectors) { programming_ -= sectors; }
    /// Sectors of a victim are settled: moved, or dropped.
    void settle(SuperblockId victim, std::uint32_t moved, std::uint32_t dropped);

    /// Is there anything to do or to gain?  False when no victim is in progress and every closed sector is valid or the
    /// policy's victim gains less than demanded.
    [[nodiscard]] bool can_progress() const { return victims_ > 0 || (pool_.closed().reclaimable() && !refused_); }
    /// Sectors to move for each sector gained from the current victim: v / (1 - v), as of its selection.
    [[nodiscard]] double break_even() const { return break_even_; }
    [[nodiscard]] std::uint32_t victims_in_progress() const { return victims_; }
    /// Sectors read and waiting to be programmed.
    [[nodiscard]] std::uint32_t gathered() const { return gathered_; }
    /// Sectors that the copy loop holds: being read, waiting, being programmed.
    [[nodiscard]] std::uint32_t sectors_in_flight() const { return reading_ + gathered_ + programming_; }

    [[nodiscard]] bool has_events() const { return !events_.empty(); }
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
    /// The part of one plane's page that was read and waits to be programmed.
    struct Page {
        Ppa first;
        std::uint32_t left = 0;  ///< a bit a sector
        const std::uint32_t* lpns = nullptr;
    };
    [[nodiscard]] bool may_program() const { return copy_ == CopyLoop::pipelined || programming_phase_; }
    [[nodiscard]] bool window_open() const {
        return copy_ == CopyLoop::pipelined ? sectors_in_flight() < window_
                                            : !programming_phase_ && reading_ + gathered_ < stripe_;
    }
    bool scan_unit(Victim& victim, Executor& executor);
    bool choose_victim();
    /// May another victim be chosen, now or when an erase ends?
    [[nodiscard]] bool more_victims() const {
        return victims_ < victim_.size() && pool_.closed().reclaimable() && !refused_;
    }
    /// Where the n-th page of the ring lies.
    [[nodiscard]] std::uint32_t ready_index(std::uint32_t n) const {
        const auto size = static_cast<std::uint32_t>(ready_.size());
        const std::uint32_t at = ready_head_ + n;
        return at >= size ? at - size : at;
    }
    /// Forgets the sectors of `page` that are not valid any more.
    void drop_lost(Page& page, Counters& counters);
    void turn_phase();
    [[nodiscard]] std::uint32_t next_stripe() const;
    [[nodiscard]] bool scan_left() const;

    BlockPool& pool_;
    OpPool& ops_;
    VictimPolicy& policy_;
    CopyLoop copy_;
    std::uint32_t window_;

    std::array<Victim, 2> victim_{};
    std::uint32_t victims_ = 0;
    std::uint32_t erasing_ = 0;     // superblocks
    std::uint32_t least_gain_ = 0;  // sectors
    bool refused_ = false;          // the policy's victim gained less, and the demand is still the same
    double break_even_ = 0;

    std::uint32_t per_page_;
    std::vector<Page> ready_;  // ring: each page holds a sector at least when it enters, so the window bounds it
    std::uint32_t ready_head_ = 0;
    std::uint32_t ready_count_ = 0;
    std::uint32_t gathered_ = 0;     // sectors in ready_
    std::uint32_t reading_ = 0;      // sectors in reads in flight
    std::uint32_t programming_ = 0;  // sectors in programs in flight
    bool programming_phase_ = false;
    std::uint32_t stripe_;           // sectors that the stripe loop reads before it programs
    std::uint32_t into_window_ = 0;  // sectors programmed since the frontier was last at a multiple of the window

    std::vector<GcEvent> events_;
};

}  // namespace ftlab::ftl

template <>
struct ftlab::config::EnumNames<ftlab::ftl::CopyLoop> {
    static constexpr EnumName<ftl::CopyLoop> kNames[] = {{ftl::CopyLoop::pipelined, "pipelined"},
                                                         {ftl::CopyLoop::stripe, "stripe"}};
};
