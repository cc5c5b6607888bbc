// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/config_node.h"

namespace ftlab::config {

/// Limits against hostile input, far above any honest configuration.
inline constexpr std::size_t kMaxFileSize = 1U << 20U;
inline constexpr std::size_t kMaxValues = 100'000;  // of one file
inline constexpr int kMaxDepth = 100;
inline constexpr int kMaxFiles = 100;  // read for one configuration

/// The tree of one YAML text; any kind of value may be at the top.  `name` is what places say for the file.  Refused
/// with a place: no content, text that is not UTF-8, control characters, tabs as indentation, syntax errors, repeated
/// keys, several documents, anchors, aliases, tags, keys that are not plain text, and more than the limits above.
/// None when the text cannot be made sense of; otherwise the tree without the entries that were refused.
[[nodiscard]] std::optional<Node> parse_yaml(std::string_view text,
                                             const std::string& name,
                                             std::vector<Problem>& problems,
                                             int max_depth = kMaxDepth);

/// One `path=value` of a --set option.
struct Override {
    std::string text;       ///< the whole option
    std::size_t begin = 0;  ///< where the path begins in it: what stands before is the caller's
    int ordinal = 1;        ///< of the option among all --set options
};
/// All of them, each from its beginning.
[[nodiscard]] std::vector<Override> overrides_of(std::span<const std::string> options);

/// The tree of a file with all that it `extends` beneath it and the overrides on top.
///
/// A map anywhere in a file may say `extends: FILE` or `extends: [FILE, FILE]` (relative to the file that says so):
/// it is laid over the named files, later ones over earlier ones.  Maps merge key by key, everything else replaces.
/// Each override is `path=value`, for instance `gc.trigger.lazy.max_moves=5.6` or `phases[2].run.duration=10 s`, with
/// the value in YAML (flow style for lists and maps); its place is file "--set", line = ordinal of the option, column =
/// position in its text.  None when one of the files cannot be made sense of.
[[nodiscard]] std::optional<Node> compose_file(const std::string& file,
                                               std::span<const Override> overrides,
                                               std::vector<Problem>& problems);
/// The same for a text in memory; `name` stands for the file, also for what `extends` is relative to.
[[nodiscard]] std::optional<Node> compose_text(std::string_view text,
                                               const std::string& name,
                                               std::span<const Override> overrides,
                                               std::vector<Problem>& problems);

}  // namespace ftlab::config
