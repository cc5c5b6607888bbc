// SPDX-License-Identifier: MIT
#include "sim/base/config_composite.h"

#include <nlohmann/json.hpp>

#include "sim/base/config_manual.h"
#include "sim/base/config_node.h"
#include "sim/base/config_reader.h"
#include "sim/base/text.h"

namespace ftlab::config {

void StructTypeBase::read(void* value, const Node& node, const Limits& /*limits*/, Reader& reader) const {
    read_fields(fields(), value, node, reader);
}

void StructTypeBase::read_absent(void* value, const Place& place, const Limits& /*limits*/, Reader& reader) const {
    read_absent_fields(fields(), value, place, reader);
}

void StructTypeBase::write(const void* value, nlohmann::ordered_json& out) const {
    out = nlohmann::ordered_json::object();
    for (const FieldInfo& field : fields().fields) {
        field.type->write(field.in(value), out[field.name]);
    }
}

void StructTypeBase::explain(const void* value, ManualWriter& manual) const { manual.fields(fields(), value); }

void OptionalTypeBase::read(void* value, const Node& node, const Limits& limits, Reader& reader) const {
    if (node.is_null()) {
        clear(value);
        return;
    }
    if (content(value) == nullptr) {
        emplace(value, fresh().get());
    }
    element().read(content(value), node, limits, reader);
}

void OptionalTypeBase::read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const {
    if (content(value) != nullptr) {
        element().read_absent(content(value), place, limits, reader);
    }
}

void OptionalTypeBase::write(const void* value, nlohmann::ordered_json& out) const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the content is only read
    const void* inside = content(const_cast<void*>(value));
    if (inside == nullptr) {
        out = nullptr;
    } else {
        element().write(inside, out);
    }
}

void OptionalTypeBase::explain(const void* value, ManualWriter& manual) const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the content is only read
    const void* inside = content(const_cast<void*>(value));
    const std::shared_ptr<void> spare = inside == nullptr ? fresh() : nullptr;
    element().explain(inside == nullptr ? spare.get() : inside, manual);
}

void ListTypeBase::read(void* value, const Node& node, const Limits& limits, Reader& reader) const {
    if (!node.is_list()) {
        reader.complain(node.place(), (node.is_null()     ? "has no value"
                                       : node.is_scalar() ? text::quote(node.text()) + " is not a list"
                                                          : "is a map, but a list is wanted") +
                                          std::string{"; write it like \"[first, second]\""});
        return;
    }
    if (limits.non_empty && node.items().empty()) {
        reader.complain(node.place(), "is empty; write at least one item");
        return;
    }
    reset(value, node.items().size());
    for (std::size_t i = 0; i < node.items().size(); ++i) {
        const Reader::Below here{reader, i};
        element().read(item(value, i), node.items()[i], limits, reader);
    }
}

void ListTypeBase::read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const {
    if (limits.non_empty && size(value) == 0) {
        Limits some;
        some.non_empty = true;  // the other limits speak of the items
        reader.complain_missing(place, name(nullptr), some);
    }
    for (std::size_t i = 0; i < size(value); ++i) {
        const Reader::Below here{reader, i};
        element().read_absent(item(value, i), place, limits, reader);
    }
}

void ListTypeBase::write(const void* value, nlohmann::ordered_json& out) const {
    out = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < size(value); ++i) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the item is only read
        element().write(item(const_cast<void*>(value), i), out.emplace_back());
    }
}

void ListTypeBase::explain(const void* /*value*/, ManualWriter& manual) const {
    const std::shared_ptr<void> spare = fresh();
    manual.below("[]", element(), spare.get());
}

}  // namespace ftlab::config
