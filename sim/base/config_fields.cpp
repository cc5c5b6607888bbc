// SPDX-License-Identifier: MIT
#include "sim/base/config_fields.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "sim/base/json.h"

namespace ftlab::config {

void ValueType::explain(const void* /*value*/, ManualWriter& /*manual*/) const {}

FieldTable ValueType::fields() const { return {}; }

const void* FieldInfo::in(const void* owner) const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the address is computed, nothing is written
    return locate(const_cast<void*>(owner));
}

const FieldInfo* FieldTable::find(std::string_view name) const {
    const auto at = std::find_if(fields.begin(), fields.end(), [name](const auto& f) { return f.name == name; });
    return at == fields.end() ? nullptr : &*at;
}

FieldInfo& FieldTable::add(std::string_view name, std::string_view help, const ValueType& type) {
    FTLAB_CHECK(find(name) == nullptr, "describe() declares a key twice");
    FTLAB_CHECK(name != "extends", "the key \"extends\" belongs to the composition of files");
    FieldInfo& field = fields.emplace_back();
    field.name = name;
    field.help = help;
    field.type = &type;
    return field;
}

std::string to_text(const Limits& limits) {
    if (!limits.allowed.empty()) {
        std::string list;
        for (const std::string& each : limits.allowed) {
            list += (list.empty() ? "one of " : ", ") + each;
        }
        return list;
    }
    const auto& low = limits.low;
    const auto& high = limits.high;
    if (low && high && !low->open && !high->open) {
        return low->text + " to " + high->text;
    }
    std::string range = low ? (low->open ? "more than " : "at least ") + low->text : "";
    if (high) {
        range += (range.empty() ? "" : " and ") + std::string{high->open ? "less than " : "at most "} + high->text;
    }
    return range.empty() && limits.non_empty ? "not empty" : range;
}

std::string brief(const ValueType& type, const void* value) {
    nlohmann::ordered_json json;
    type.write(value, json);
    return to_yaml_line(json);
}

}  // namespace ftlab::config
