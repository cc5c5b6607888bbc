// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace ftlab {

/// JSON as files of ours hold it: keys in the order of insertion, two spaces a level, lists of plain values on one
/// line, doubles by text::number(), so the same bytes on every machine.  What is not finite becomes null.
/// Ends with a line feed.
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& json);

/// The same value on one line in the YAML that a user would write: {victim: greedy, low: 5%}.
[[nodiscard]] std::string to_yaml_line(const nlohmann::ordered_json& json);

}  // namespace ftlab
