// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sim/report/result.h"

namespace ftlab::report {

/// The result for people: the drive, a table of the phases, where the flash traffic came from, a chart.
[[nodiscard]] std::string summary(const Result& result, const RunFacts& facts, bool utf8);

/// The expectations with their values; empty when there are none.
[[nodiscard]] std::string expect_table(const Result& result);

}  // namespace ftlab::report
