// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ftl/origin.h"
#include "nand/geometry.h"
#include "sim/base/id.h"

namespace ftlab::ftl {

enum class OpKind : std::uint8_t { read, program, erase };

/// The FTL's name for a flash operation in flight.
using OpId = Id<struct OpTag>;

/// How an operation or a command ended.
enum class Outcome : std::uint8_t { ok };

/// One flash operation as the FTL wants it.  Programs and erases of a die keep their issue order; reads may overtake.
struct FlashOp {
    OpId id;
    OpKind kind = OpKind::read;
    Origin payer = Origin::host;
    std::uint16_t sectors = 0;  ///< 4 KiB sectors that cross the bus; 0 for an erase
    std::uint16_t planes = 0;   ///< planes that act together
    std::uint16_t page = 0;
    nand::DieId die;
    CommandId tag;  ///< the host command that waits for exactly this operation; invalid for background work
};

/// Whoever carries out flash operations: the timed controller, or `InstantFlash` in bare mode.
class Executor {
public:
    /// May the FTL issue a program to this die now?  The FTL issues no program while this is false and asks again at
    /// the next `complete()` or `offer()`.  Reads and erases are bounded by the FTL itself and always accepted.
    [[nodiscard]] virtual bool room(Origin payer, nand::DieId die) const = 0;
    /// Takes the operation; its end is reported by `Ftl::complete()`, never from inside this call.
    virtual void issue(const FlashOp& op) = 0;
    /// The host command's data is at hand (read), or durable (FUA write, flush), or gone (trim).
    virtual void finished(CommandId command, Outcome outcome) = 0;

protected:
    Executor() = default;
    ~Executor() = default;
    Executor(const Executor&) = default;
    Executor& operator=(const Executor&) = default;
};

}  // namespace ftlab::ftl
