// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace ftlab::report {

/// Rows of text in columns as wide as their widest cell, two spaces between; the columns in `left` are aligned to the
/// left.  The first row is the head.  Cells may hold UTF-8.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows,
                                const std::vector<std::size_t>& left);

}  // namespace ftlab::report
