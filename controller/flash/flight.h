// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ftl/flash_op.h"
#include "sim/base/units.h"

namespace ftlab::controller {

/// A flash operation on its way through channel and die, indexed by the FTL's OpId.
struct Flight {
    ftl::FlashOp op;
    std::uint32_t next = 0;  ///< in its die's queue
    Time since{0};           ///< start of the stage it is in; only host reads keep stages
    Duration die_wait{0};
    Duration bus_wait{0};
    Duration bus_transfer{0};
    Duration media{0};
};

/// All flash operations in flight.  Grows to the most ever in flight and allocates nothing after that.
class Flights {
public:
    Flight& operator[](std::uint32_t id) { return flights_[id]; }
    Flight& enter(const ftl::FlashOp& op) {
        if (op.id.index() >= flights_.size()) {
            flights_.resize(op.id.index() + 1);
        }
        Flight& f = flights_[op.id.index()];
        f.op = op;
        return f;
    }

private:
    std::vector<Flight> flights_;
};

/// Hears that a flash operation has ended.
class FlashDoneInterface {
public:
    virtual void flash_done(std::uint32_t flight) = 0;

protected:
    ~FlashDoneInterface() = default;
};

}  // namespace ftlab::controller
