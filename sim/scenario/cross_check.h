// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sim/base/config_error.h"
#include "sim/base/config_node.h"
#include "sim/scenario/load.h"

namespace ftlab::scenario {

/// The names of all phases: as the user wrote them, else the kind, with a number from the second of a kind on.
[[nodiscard]] std::vector<std::string> phase_names(const ScenarioParams& params);

/// What cannot be seen in one value alone: spans and the drive, names of phases, windows and durations, metrics.
void cross_check(const Scenario& scenario, const config::Node& tree, std::vector<config::Problem>& problems);

/// The workload that a fill stands for.
[[nodiscard]] workload::WorkloadParams workload_of(const FillParams& fill);

}  // namespace ftlab::scenario
