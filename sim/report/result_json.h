// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/report/result.h"

namespace ftlab::report {

/// result.json: the same for equal runs, to the byte.
[[nodiscard]] nlohmann::ordered_json result_json(const Result& result);
/// One item of its `phases`.
[[nodiscard]] nlohmann::ordered_json phase_json(const PhaseResult& phase);
/// run.json: what may differ between equal runs.
[[nodiscard]] nlohmann::ordered_json run_json(const Result& result, const RunFacts& facts);
/// series.csv: a row for each second of the timed phases.
[[nodiscard]] std::string series_csv(const Result& result);

}  // namespace ftlab::report
