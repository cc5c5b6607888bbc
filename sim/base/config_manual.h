// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ftlab {
class Catalog;
}

namespace ftlab::config {

class ValueType;
struct FieldTable;

/// One line of the reference manual.  A group and a policy have rows of their own, followed by the rows below them.
struct ManualRow {
    std::string path;           // gc.victim.d_choices.d, phases[].run.duration
    std::string type;           // time, count, list of size, group, "greedy | fifo", policy
    std::string default_value;  // as the user would write it; "required"; empty for groups and policies
    std::string range;          // "1 to 8", "more than 0 B/s", empty
    std::string help;
};

/// Collects rows while types explain themselves.
class ManualWriter {
public:
    explicit ManualWriter(const Catalog* catalog) : catalog_{catalog} {}
    ManualWriter(const ManualWriter&) = delete;
    ManualWriter& operator=(const ManualWriter&) = delete;

    /// A row for each field, followed by what is below it.
    void fields(const FieldTable& table, const void* object);
    /// A row at the current path plus `key`.
    void row(std::string_view key, ManualRow row);
    [[nodiscard]] const Catalog* catalog() const { return catalog_; }
    [[nodiscard]] std::vector<ManualRow> take() { return std::move(rows_); }

    /// What is below a value of `type`, with `key` (or "[]") on the path; nothing when that type is being explained
    /// already: structs and policies may contain themselves.
    void below(std::string_view key, const ValueType& type, const void* value);

private:
    const Catalog* catalog_;
    std::string path_;
    std::vector<const ValueType*> open_;
    std::vector<ManualRow> rows_;
};

}  // namespace ftlab::config
