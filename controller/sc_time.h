// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <systemc>

#include "sim/base/units.h"

/// The only place where the two clocks meet.  One tick of the kernel is 1 ps, SystemC's default; the Scheduler checks
/// it.
namespace ftlab::controller {

/// `t` must not be negative.
inline sc_core::sc_time to_sc(Time t) { return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t.count())); }

/// Kernel times beyond the range of Time (106 days) become kNever.
inline Time from_sc(const sc_core::sc_time& t) {
    const sc_dt::uint64 ticks = t.value();
    return ticks < static_cast<sc_dt::uint64>(kNever.count()) ? Time{static_cast<std::int64_t>(ticks)} : kNever;
}

/// The kernel's clock, which the model's runs ahead of: models call Scheduler::now().
inline Time kernel_now() { return from_sc(sc_core::sc_time_stamp()); }

}  // namespace ftlab::controller
