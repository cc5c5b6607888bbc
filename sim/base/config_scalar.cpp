// SPDX-License-Identifier: MIT
#include "sim/base/config_scalar.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/base/config_node.h"
#include "sim/base/config_reader.h"
#include "sim/base/text.h"

namespace ftlab::config {

namespace {

bool is_inside(long double number, const Limits& limits) {
    const bool above = !limits.low || number > limits.low->value || (!limits.low->open && number == limits.low->value);
    const bool below =
        !limits.high || number < limits.high->value || (!limits.high->open && number == limits.high->value);
    return above && below;
}

/// What is wrong with a value as the end of a sentence; empty when it is accepted.
std::string refusal(const ScalarType& type, const void* value, const Limits& limits) {
    const std::string text = type.format(value);
    const auto number = type.number(value);
    if (number && !is_inside(*number, limits)) {
        return "is out of range; write " + to_text(limits);
    }
    if (!limits.allowed.empty() &&
        std::find(limits.allowed.begin(), limits.allowed.end(), text) == limits.allowed.end()) {
        return "is not allowed here; write " + to_text(limits);
    }
    return limits.non_empty && text.empty() ? "is empty; write at least one character" : "";
}

}  // namespace

void ScalarType::read(void* value, const Node& node, const Limits& limits, Reader& reader) const {
    if (!node.is_scalar()) {
        reader.complain(node.place(), node.is_null() ? "has no value; wanted: " + name(nullptr)
                                                     : std::string{node.is_map() ? "is a map" : "is a list"} +
                                                           ", but a single value is wanted: " + name(nullptr));
        return;
    }
    std::string complaint = parse(node.text(), value);
    if (complaint.empty()) {
        complaint = refusal(*this, value, limits);
        complaint = complaint.empty() ? "" : text::quote(node.text()) + " " + complaint;
    }
    if (!complaint.empty()) {
        reader.complain(node.place(), std::move(complaint));
    }
}

void ScalarType::read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const {
    if (!refusal(*this, value, limits).empty()) {
        reader.complain_missing(place, name(nullptr), limits);
    }
}

void ScalarType::write(const void* value, nlohmann::ordered_json& out) const { out = format(value); }

std::optional<long double> ScalarType::number(const void* /*value*/) const { return std::nullopt; }

void ScalarType::put(nlohmann::ordered_json& out, bool value) { out = value; }
void ScalarType::put(nlohmann::ordered_json& out, std::int64_t value) { out = value; }
void ScalarType::put(nlohmann::ordered_json& out, std::uint64_t value) { out = value; }
void ScalarType::put(nlohmann::ordered_json& out, double value) { out = value; }

Parsed<std::size_t> parse_name(std::string_view text, std::span<const std::string_view> names) {
    const auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) {
        return {0, text::quote(text) + " is unknown; " + text::suggest(text, names)};
    }
    return {static_cast<std::size_t>(at - names.begin()), {}};
}

std::string join_names(std::span<const std::string_view> names) {
    std::string list;
    for (const std::string_view name : names) {
        list += (list.empty() ? "" : " | ") + std::string{name};
    }
    return list;
}

}  // namespace ftlab::config
