// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/base/config_choice.h"
#include "sim/base/config_compose.h"
#include "sim/base/config_error.h"
#include "sim/base/config_fields.h"
#include "sim/base/config_manual.h"
#include "sim/base/config_node.h"
#include "sim/base/config_reader.h"
#include "sim/base/config_scalar.h"
#include "sim/base/config_value_type.h"

/// Configuration: a struct declares its keys once, in describe(); reading, checking, the effective configuration and
/// the manual follow from that.
///
///     struct BusParams {
///         Bandwidth rate{200'000'000};
///         static void describe(config::Fields<BusParams>& f) {
///             f("rate", &BusParams::rate, "transfer rate of the channel").positive();
///         }
///     };
///     const auto bus = config::load<BusParams>("bus.yaml", overrides, {.catalog = &catalog});
namespace ftlab::config {

/// Reads P from a tree.  What is wrong is added to `problems`; the result is usable only if nothing was added.
template <class P>
[[nodiscard]] P read(const Node& node, std::vector<Problem>& problems, const Context& context = {}) {
    P object{};
    Reader reader{context, problems};
    type_of<P>().read(&object, node, Limits{}, reader);
    return object;
}

/// Throws Error with all problems at once.
template <class P>
[[nodiscard]] P read(const Node& node, const Context& context = {}) {
    std::vector<Problem> problems;
    P object = read<P>(node, problems, context);
    throw_if_any(std::move(problems));
    return object;
}

/// A file with all that it extends and the overrides; throws Error with all problems at once.
template <class P>
[[nodiscard]] P load(const std::string& file, std::span<const std::string> overrides, const Context& context = {}) {
    std::vector<Problem> problems;
    const auto node = compose_file(file, overrides_of(overrides), problems);
    P object = node ? read<P>(*node, problems, context) : P{};
    throw_if_any(std::move(problems));
    return object;
}

/// The same from a text in memory.  Also reads less than a file: `load_text<Choice<VictimPolicy>>("greedy", context)`.
template <class P>
[[nodiscard]] P load_text(std::string_view text,
                          const Context& context = {},
                          const std::string& name = "text",
                          std::span<const std::string> overrides = {}) {
    std::vector<Problem> problems;
    const auto node = compose_text(text, name, overrides_of(overrides), problems);
    P object = node ? read<P>(*node, problems, context) : P{};
    throw_if_any(std::move(problems));
    return object;
}

/// P with nothing but defaults, its choices looked up; throws Error when a key is required.
template <class P>
[[nodiscard]] P defaults(const Context& context = {}) {
    return read<P>(Node{Node::Kind::map, Place{"defaults", 1, 1}}, context);
}

/// The configuration as read, every key written out; reading it again gives the same object.  The caller includes
/// <nlohmann/json.hpp>.
template <class P, class Json = nlohmann::ordered_json>
[[nodiscard]] Json effective(const P& object) {
    Json out;
    type_of<P>().write(&object, out);
    return out;
}

/// The reference manual of P, with the policies that the catalog knows.
template <class P>
[[nodiscard]] std::vector<ManualRow> manual(const Context& context = {}) {
    const P object{};
    ManualWriter writer{context.catalog};
    writer.below(context.path, type_of<P>(), &object);
    return writer.take();
}

}  // namespace ftlab::config
