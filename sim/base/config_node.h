// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/config_error.h"

namespace ftlab::config {

/// A tree of what the user wrote, before it means anything.  Invariants:
/// (1) every node and every key knows the place it was written at;
/// (2) the keys of a map are unique and keep the order in which they were written;
/// (3) `layer` tells which text had the last word on a node: later layers (the file that extends, then each --set)
///     have higher numbers, and a map's layer is at least that of its entries.
class Node {
public:
    enum class Kind : std::uint8_t { null, scalar, list, map };
    struct Entry;

    Node();
    Node(Kind kind, Place place);
    /// A scalar; `quoted` tells "5" from 5.
    Node(std::string text, bool quoted, Place place);
    Node(const Node&);
    Node(Node&&) noexcept;
    Node& operator=(const Node&);
    Node& operator=(Node&&) noexcept;
    ~Node();

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool is_null() const { return kind_ == Kind::null; }
    [[nodiscard]] bool is_scalar() const { return kind_ == Kind::scalar; }
    [[nodiscard]] bool is_list() const { return kind_ == Kind::list; }
    [[nodiscard]] bool is_map() const { return kind_ == Kind::map; }
    [[nodiscard]] const Place& place() const { return place_; }
    [[nodiscard]] int layer() const { return layer_; }

    /// The scalar's text; empty for the other kinds.
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] bool quoted() const { return quoted_; }
    /// The items of a list; empty for the other kinds.
    [[nodiscard]] const std::vector<Node>& items() const { return items_; }
    [[nodiscard]] std::vector<Node>& items() { return items_; }
    /// The entries of a map; empty for the other kinds.
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    [[nodiscard]] std::vector<Entry>& entries() { return entries_; }
    /// The value of `key`, or nullptr when this is no map or has no such key.
    [[nodiscard]] const Node* find(std::string_view key) const;
    [[nodiscard]] Node* find(std::string_view key);

    /// Adds an entry to a map; the caller has made sure that the key is new.
    Node& insert(std::string key, Place key_place, Node value);
    void set_place(Place place) { place_ = std::move(place); }
    /// `layer` has a say in this map or list, through something below it.
    void touch(int layer);
    /// Marks this node and all below it as said by `layer`.
    void stamp(int layer);
    /// Replaces layer `from` by `to` here and below.
    void restamp(int from, int to);
    /// A copy without whatever was said in layer `last` or earlier; a map stays, perhaps empty.
    [[nodiscard]] Node said_after(int last) const;
    /// Lays `over` on this node: maps merge key by key, everything else is replaced.
    void lay_over(Node over);

private:
    Kind kind_ = Kind::null;
    bool quoted_ = false;
    int layer_ = 0;
    Place place_;
    std::string text_;
    std::vector<Node> items_;
    std::vector<Entry> entries_;
};

struct Node::Entry {
    std::string key;
    Place key_place;
    Node value;
};

}  // namespace ftlab::config
