// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/base/random.h"
#include "sim/base/units.h"
#include "sim/report/result.h"
#include "sim/scenario/load.h"
#include "sim/workload/source.h"

namespace ftlab::scenario {

/// One phase, ready to be carried out.
struct PhasePlan {
    static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

    std::string name;
    std::string kind;
    bool timed = true;
    std::function<std::unique_ptr<workload::Source>(const RandomStreams&)> start;  ///< null: no commands
    std::uint32_t queue_depth = 32;
    bool open_loop = false;
    Time duration = kNever;  ///< of timed phases
    std::uint64_t max_ios = kUnlimited;
    std::uint64_t max_bytes = kUnlimited;
    std::function<report::SharedJson(workload::Source&)> details;  ///< asked after the phase; may be null
    std::uint64_t expected_ios = 0;                                ///< for the progress only; 0: not known
};

/// The phases of a scenario.
[[nodiscard]] std::vector<PhasePlan> plan(const Scenario& scenario);

[[nodiscard]] bool is_timed(const PhaseParams& phase);

/// Trims are sent in pieces of this size, as operating systems do.
inline constexpr Bytes kTrimPiece{std::uint64_t{2} << 30U};

/// Makes everything bare: timed runs that would end by time alone write, read and trim `passes` times the size of their
/// span instead.  Returns a line for the user about each phase that was changed so.
[[nodiscard]] std::vector<std::string> make_bare(Scenario& scenario, std::uint32_t passes);

}  // namespace ftlab::scenario
