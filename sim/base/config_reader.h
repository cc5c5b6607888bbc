// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/config_error.h"

namespace ftlab {
class Catalog;
}

namespace ftlab::config {

class Node;
struct FieldTable;
struct Limits;

/// What reading needs besides the tree.
struct Context {
    const Catalog* catalog = nullptr;  // must know every interface that a Choice is read for
    std::string path = {};             // of the node in the whole configuration, in front of every problem's path
};

/// Carries the position and the problems through one reading.
class Reader {
public:
    Reader(const Context& context, std::vector<Problem>& problems)
        : catalog_{context.catalog}, path_{context.path}, problems_{&problems} {}
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    void complain(const Place& place, std::string sentence);
    /// The problem is not here but at a key below.
    void complain_below(std::string_view key, const Place& place, std::string sentence);
    /// The value is needed and the user wrote nothing.
    void complain_missing(const Place& place, const std::string& type, const Limits& limits);
    [[nodiscard]] std::size_t problem_count() const { return problems_->size(); }
    [[nodiscard]] const Catalog* catalog() const { return catalog_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Extends the path while it lives.
    class Below {
    public:
        Below(Reader& reader, std::string_view key);
        Below(Reader& reader, std::size_t index);
        Below(const Below&) = delete;
        Below& operator=(const Below&) = delete;
        ~Below();

    private:
        Reader* reader_;
        std::size_t length_;
    };

private:
    const Catalog* catalog_;
    std::string path_;
    std::vector<Problem>* problems_;
};

/// Reads a struct's fields from a map.
void read_fields(const FieldTable& table, void* object, const Node& node, Reader& reader);
/// The same where the user wrote nothing at all.
void read_absent_fields(const FieldTable& table, void* object, const Place& place, Reader& reader);

}  // namespace ftlab::config
