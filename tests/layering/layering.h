// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ftlab::layering {

/// A line of the tree that breaks the architecture: "ftl/ftl.h:12: sentence".
using Violation = std::string;

/// Reads every .h and .cpp below `root` (product and tests) and reports what the layers forbid, sorted by place:
/// an include that runs up or aside, a foreign library outside its folder, an include that is not root-relative or has
/// no file, an included .cpp, a header of a policy's implementation, a missing `#pragma once` or licence line.
std::vector<Violation> violations(const std::filesystem::path& root);

}  // namespace ftlab::layering
