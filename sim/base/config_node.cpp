// SPDX-License-Identifier: MIT
#include "sim/base/config_node.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ftlab::config {

Node::Node() = default;
Node::Node(Kind kind, Place place) : kind_{kind}, place_{std::move(place)} {}
Node::Node(std::string text, bool quoted, Place place)
    : kind_{Kind::scalar}, quoted_{quoted}, place_{std::move(place)}, text_{std::move(text)} {}
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

const Node* Node::find(std::string_view key) const {
    const auto at = std::find_if(entries_.begin(), entries_.end(), [key](const Entry& e) { return e.key == key; });
    return at == entries_.end() ? nullptr : &at->value;
}

Node* Node::find(std::string_view key) {
    const auto at = std::find_if(entries_.begin(), entries_.end(), [key](const Entry& e) { return e.key == key; });
    return at == entries_.end() ? nullptr : &at->value;
}

Node& Node::insert(std::string key, Place key_place, Node value) {
    layer_ = std::max(layer_, value.layer_);
    return entries_.emplace_back(Entry{std::move(key), std::move(key_place), std::move(value)}).value;
}

void Node::touch(int layer) { layer_ = std::max(layer_, layer); }

void Node::stamp(int layer) {
    layer_ = layer;
    for (Node& item : items_) {
        item.stamp(layer);
    }
    for (Entry& entry : entries_) {
        entry.value.stamp(layer);
    }
}

void Node::restamp(int from, int to) {
    layer_ = layer_ == from ? to : layer_;
    for (Node& item : items_) {
        item.restamp(from, to);
    }
    for (Entry& entry : entries_) {
        entry.value.restamp(from, to);
    }
}

Node Node::said_after(int last) const {
    if (kind_ != Kind::map) {
        return *this;  // said as a whole: its own layer decided already whether it stays
    }
    Node kept{kind_, place_};
    kept.layer_ = layer_;
    for (const Entry& entry : entries_) {
        if (entry.value.layer_ > last) {
            kept.entries_.push_back(Entry{entry.key, entry.key_place, entry.value.said_after(last)});
        }
    }
    return kept;
}

void Node::lay_over(Node over) {
    if (kind_ != Kind::map || over.kind_ != Kind::map) {
        *this = std::move(over);
        return;
    }
    std::unordered_map<std::string, std::size_t> index;  // maps of hostile size must not cost quadratic time
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        index.emplace(entries_[i].key, i);
    }
    for (Entry& entry : over.entries_) {
        if (const auto at = index.find(entry.key); at != index.end()) {
            Entry& mine = entries_[at->second];
            mine.key_place = std::move(entry.key_place);
            mine.value.lay_over(std::move(entry.value));
        } else {
            entries_.push_back(std::move(entry));
        }
    }
    place_ = std::move(over.place_);
    layer_ = std::max(layer_, over.layer_);
}

}  // namespace ftlab::config
