// SPDX-License-Identifier: MIT
#include "sim/base/config_manual.h"

#include <algorithm>

#include "sim/base/config_error.h"
#include "sim/base/config_value_type.h"

namespace ftlab::config {

void ManualWriter::fields(const FieldTable& table, const void* object) {
    for (const FieldInfo& field : table.fields) {
        const void* value = field.in(object);
        const bool is_group = !field.type->fields().fields.empty();
        row(field.name, {.path = "",
                         .type = field.type->name(catalog_),
                         .default_value = field.required ? "required"
                                          : is_group     ? ""
                                                         : brief(*field.type, value),
                         .range = to_text(field.limits),
                         .help = field.help});
        below(field.name, *field.type, value);
    }
}

void ManualWriter::row(std::string_view key, ManualRow row) {
    row.path = key_path(path_, key);
    rows_.push_back(std::move(row));
}

void ManualWriter::below(std::string_view key, const ValueType& type, const void* value) {
    if (std::find(open_.begin(), open_.end(), &type) != open_.end()) {
        return;
    }
    const std::size_t length = path_.size();
    path_ += std::string{path_.empty() || key.empty() || key == "[]" ? "" : "."} + std::string{key};
    open_.push_back(&type);
    type.explain(value, *this);
    open_.pop_back();
    path_.resize(length);
}

}  // namespace ftlab::config
