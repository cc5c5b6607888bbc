// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/catalog.h"

namespace ftlab::scenario {

/// Every policy that comes with FTLab.
[[nodiscard]] std::unique_ptr<Catalog> builtin_catalog();

/// The names of the YAML files in `kind` ("scenarios", "configs/devices") that find_data() finds, in order.
[[nodiscard]] std::vector<std::string> data_names(const std::string& kind);

}  // namespace ftlab::scenario
