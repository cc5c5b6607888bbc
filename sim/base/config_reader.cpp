// SPDX-License-Identifier: MIT
#include "sim/base/config_reader.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/config_node.h"
#include "sim/base/config_value_type.h"
#include "sim/base/text.h"

namespace ftlab::config {

namespace {

/// Where and what a key of a broken rule is: the node when the user wrote it, the value in any case.
struct Found {
    const Node* node = nullptr;  // nullptr: a default
    std::string value;           // on one line; empty for a struct
};

Found find_value(const FieldTable& table, const void* object, const Node* node, std::string_view key) {
    const std::size_t dot = std::min(key.find('.'), key.size());
    const FieldInfo* field = table.find(key.substr(0, dot));
    FTLAB_CHECK(field != nullptr, "a rule between fields names only keys that are declared");
    const Node* below = node != nullptr ? node->find(field->name) : nullptr;
    const void* value = field->in(object);
    if (dot < key.size()) {
        return find_value(field->type->fields(), value, below, key.substr(dot + 1));
    }
    const bool is_group = !field->type->fields().fields.empty();
    return {below, is_group ? "" : brief(*field->type, value)};
}

void check_rules(const FieldTable& table, const void* object, const Node* node, const Place& place, Reader& reader) {
    for (const FieldTable::Rule& rule : table.rules) {
        const std::optional<Complaint> complaint = rule(object);
        if (!complaint) {
            continue;
        }
        FTLAB_CHECK(!complaint->keys.empty(), "a rule between fields names at least one key");
        const Node* blamed = nullptr;
        std::string_view blamed_key = complaint->keys.front();
        std::string values;
        for (const std::string& key : complaint->keys) {
            const Found found = find_value(table, object, node, key);
            if (found.node != nullptr && blamed == nullptr) {
                blamed = found.node;
                blamed_key = key;
            }
            values += values.empty() ? " (" : ", ";
            if (found.node == nullptr && found.value == "~") {
                values += key + " is not written";
                continue;
            }
            values += key + (found.value.empty() ? "" : " is " + found.value) +
                      (found.node != nullptr ? " at " + to_string(found.node->place()) : " by default");
        }
        reader.complain_below(blamed_key, blamed != nullptr ? blamed->place() : place,
                              complaint->sentence + values + ")");
    }
}

}  // namespace

void Reader::complain(const Place& place, std::string sentence) {
    problems_->push_back({place, path_, std::move(sentence)});
}

void Reader::complain_below(std::string_view key, const Place& place, std::string sentence) {
    problems_->push_back({place, path_ + (path_.empty() ? "" : ".") + std::string{key}, std::move(sentence)});
}

void Reader::complain_missing(const Place& place, const std::string& type, const Limits& limits) {
    const std::string range = to_text(limits);
    complain(place, "is missing; write it (" + type + (range.empty() ? "" : ", " + range) + ")");
}

Reader::Below::Below(Reader& reader, std::string_view key) : reader_{&reader}, length_{reader.path_.size()} {
    reader.path_ = key_path(reader.path_, key);
    constexpr std::size_t kLongestPath = 100'000;  // far above kMaxDepth names of a sane length
    FTLAB_CHECK(reader.path_.size() < kLongestPath, "defaults do not contain themselves");
}

Reader::Below::Below(Reader& reader, std::size_t index) : reader_{&reader}, length_{reader.path_.size()} {
    reader.path_ = item_path(reader.path_, index);
}

Reader::Below::~Below() { reader_->path_.resize(length_); }

void read_fields(const FieldTable& table, void* object, const Node& node, Reader& reader) {
    if (!node.is_map()) {
        const std::string example = table.fields.empty() ? "{}" : "{" + table.fields.front().name + ": ...}";
        reader.complain(node.place(), node.is_null()
                                          ? "has no value; write {} to keep the defaults, or remove the key"
                                          : (node.is_list() ? "is a list, not a map of keys"
                                                            : text::quote(node.text()) + " is not a map of keys") +
                                                "; write it like " + example);
        return;
    }
    const std::size_t before = reader.problem_count();
    std::vector<std::string_view> names;
    for (const FieldInfo& field : table.fields) {
        names.push_back(field.name);
    }
    for (const Node::Entry& entry : node.entries()) {
        if (table.find(entry.key) == nullptr) {
            const Reader::Below here{reader, entry.key};
            reader.complain(entry.key_place, names.empty() ? "unknown key; there are no keys here, remove it"
                                                           : "unknown key; " + text::suggest(entry.key, names));
        }
    }
    for (const FieldInfo& field : table.fields) {
        const Reader::Below here{reader, field.name};
        const Node* value = node.find(field.name);
        if (value != nullptr) {
            field.type->read(field.locate(object), *value, field.limits, reader);
        } else if (field.required) {
            reader.complain_missing(node.place(), field.type->name(reader.catalog()), field.limits);
        } else {
            field.type->read_absent(field.locate(object), node.place(), field.limits, reader);
        }
    }
    if (reader.problem_count() == before) {
        check_rules(table, object, &node, node.place(), reader);
    }
}

void read_absent_fields(const FieldTable& table, void* object, const Place& place, Reader& reader) {
    read_fields(table, object, Node{Node::Kind::map, place}, reader);
}

}  // namespace ftlab::config
