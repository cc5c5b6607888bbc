// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "controller/stamps.h"
#include "sim/base/histogram.h"
#include "sim/base/units.h"

namespace ftlab::host {

inline constexpr std::size_t kOps = 4;
inline constexpr std::array<const char*, kOps> kOpNames{"read", "write", "trim", "flush"};

/// What the host saw of one kind of command.
struct OpStats {
    std::uint64_t ios = 0;
    std::uint64_t bytes = 0;
    Histogram latency;                               ///< from when the command was due to its status at the host
    std::array<Time, controller::kCauses> causes{};  ///< sums over commands; together they are the sum of latencies
};

/// One simulated second, or the piece of one at the end of a phase.
struct Sample {
    Time begin{0};
    Time end{0};
    std::array<std::uint64_t, kOps> ios{};
    std::array<std::uint64_t, kOps> bytes{};
};

/// A timed phase as the host saw it.
struct PhaseStats {
    std::array<OpStats, kOps> ops;
    Time begin{0};
    Time end{0};                                   ///< the host stopped issuing; rates are over [begin, end]
    Time drained{0};                               ///< the last command ended
    std::array<std::uint64_t, kOps> ios_by_end{};  ///< completed in [begin, end]
    std::array<std::uint64_t, kOps> bytes_by_end{};
    std::uint64_t issued = 0;
    std::uint64_t completed = 0;
    bool interrupted = false;
    bool exhausted = false;  ///< the workload ended before the other stop conditions

    [[nodiscard]] double seconds() const { return to_seconds(end - begin); }
};

}  // namespace ftlab::host
