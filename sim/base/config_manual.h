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
struct Limits;

/// One line of the reference manual.  A group and a policy have rows of their own, followed by the rows below them.
struct ManualRow {
    std::string path;           // gc.victim.d_choices.d, phases[].run.duration
    std::string type;           // time, count, list of size, group, "policy: greedy | fifo"
    std::string default_value;  // as the user would write it; "required"; empty for groups
    std::string range;          // "1 to 8", "more than 0 B/s", empty
    std::string help;
};

/// Collects rows while types explain themselves.
class ManualWriter {
public:
    explicit ManualWriter(const Catalog* catalog) : catalog_{catalog} {}
    ManualWriter(const ManualWriter&) = delete;
    ManualWriter& operator=(const ManualWriter&) = delete;

    void fields(const FieldTable& table, const void* object);
    void row(ManualRow row);
    [[nodiscard]] const Catalog* catalog() const { return catalog_; }
    [[nodiscard]] std::vector<ManualRow> take() { return std::move(rows_); }

    /// Everything below `type`, with `suffix` on the path; nothing when that type is being explained already (structs
    /// and policies may contain themselves).
    void below(std::string_view suffix, const ValueType& type, const void* value);

private:
    const Catalog* catalog_;
    std::string path_;
    std::vector<const ValueType*> open_;
    std::vector<ManualRow> rows_;
};

/// "1 to 8", "at least 1 ns", "more than 0 B", "one of 1, 2, 4"; empty when there is none.
[[nodiscard]] std::string to_text(const Limits& limits);

}  // namespace ftlab::config
