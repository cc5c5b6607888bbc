// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/report/result.h"
#include "sim/scenario/params.h"

namespace ftlab::scenario {

/// Compares a complete result with what the scenario expects of it.
[[nodiscard]] std::vector<report::Verdict> evaluate(const std::vector<ExpectParams>& expect,
                                                    const report::Result& result);

}  // namespace ftlab::scenario
