// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ftl/block_pool.h"

namespace ftlab::report {

/// All superblocks as one character each (or one for several neighbours on large drives), with a legend: free, open,
/// closed by the share of valid sectors, being collected.
[[nodiscard]] std::string block_map(const ftl::BlockPool& pool, bool utf8);

}  // namespace ftlab::report
