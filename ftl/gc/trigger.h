// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "sim/base/units.h"

namespace ftlab::ftl {

/// GC sectors moved for each host sector programmed, in 1/65536.
struct MoveRate {
    std::uint32_t q16 = 0;

    static MoveRate of(double moves) {
        return {moves >= 65535.0 ? 0xffffffffU : static_cast<std::uint32_t>(std::llround(moves * 65536.0))};
    }
    friend constexpr auto operator<=>(MoveRate, MoveRate) = default;
};

/// When garbage collection runs, and how much of it each host sector pays for.  Counts superblocks, knows no clock.
///
/// The FTL asks at every change of the number of free superblocks.  While collection is active each host sector
/// programmed adds rate() to a debt; a GC program unit is due when the debt covers it, and host units wait when the
/// debt exceeds the FTL's limit.  When the host needs a superblock and may not have one, the FTL collects at full rate
/// whatever the trigger says.
class GcTrigger {
public:
    virtual ~GcTrigger() = default;
    /// Power-up, or the host is back after idle collection: `free` superblocks are at hand.
    virtual void busy_period_begins(std::uint32_t free) = 0;
    /// Should collection be active now?
    virtual bool active(std::uint32_t free, bool was_active) = 0;
    /// Moves a host sector pays, when `break_even` moves free as much space as the host sector takes (v / (1 - v) for a
    /// victim with a share v of valid sectors).
    virtual MoveRate rate(MoveRate break_even) = 0;
    /// How long the host must be silent before idle collection; nullopt when this policy does none.
    [[nodiscard]] virtual std::optional<Duration> idle_after() const { return std::nullopt; }
    /// Should idle collection go on with this many free superblocks?
    virtual bool idle_wants(std::uint32_t free) {
        static_cast<void>(free);
        return false;
    }
    /// Idle collection takes no victim that frees a smaller share of itself: it would cost 1 / share programs a sector.
    [[nodiscard]] virtual Ratio idle_least_gain() const { return Ratio{0}; }
};

}  // namespace ftlab::ftl
