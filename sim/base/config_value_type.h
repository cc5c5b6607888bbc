// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace ftlab {
class Catalog;
}

namespace ftlab::config {

class Node;
class ManualWriter;
class Reader;
struct FieldTable;
struct Place;

/// One end of a range, as a number to compare and as text for people.
struct Bound {
    long double value;  // 64-bit mantissa: exact for every integer and quantity type of ours
    bool open = false;  // the value itself is outside
    std::string text;
};

/// What a field accepts beyond its type; for lists and optionals it speaks of the element.
struct Limits {
    std::optional<Bound> low;
    std::optional<Bound> high;
    std::vector<std::string> allowed;  // exact texts; empty: all
    bool non_empty = false;            // of the list or the string itself
};

/// How values of one C++ type are read, written and explained.  Stateless, one instance a type (type_of<T>());
/// a `void*` is always a T of that type.
class ValueType {
public:
    ValueType() = default;
    ValueType(const ValueType&) = delete;
    ValueType& operator=(const ValueType&) = delete;

    /// Reads `node` into the value; complains to the reader and leaves the value as it is when it cannot.
    virtual void read(void* value, const Node& node, const Limits& limits, Reader& reader) const = 0;
    /// The user wrote nothing: makes the default usable (policies are looked up) or complains at `place`.
    virtual void read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const = 0;
    /// The value as it would be written by the user.
    virtual void write(const void* value, nlohmann::ordered_json& out) const = 0;
    /// What it is, for manual and messages: "time", "list of size".  The catalog may be missing.
    [[nodiscard]] virtual std::string name(const Catalog* catalog) const = 0;
    /// Rows for what is below this value (keys of a struct, policies of a choice), not for the value itself.
    virtual void explain(const void* value, ManualWriter& manual) const;
    /// The declared fields of a struct; an empty table for everything else.
    [[nodiscard]] virtual FieldTable fields() const;

protected:
    ~ValueType() = default;  // never owned through the base
};

/// A broken rule between fields: the keys it speaks of (dotted for nested ones) and what must hold, for example
/// {{"low", "high"}, "must be below high"}.  The message adds what each of the keys is and where that was written.
struct Complaint {
    std::vector<std::string> keys;
    std::string sentence;
};

/// One declared field of a struct.
struct FieldInfo {
    std::string name;
    std::string help;
    const ValueType* type = nullptr;
    std::function<void*(void* owner)> locate;
    Limits limits;
    bool required = false;

    [[nodiscard]] const void* in(const void* owner) const;
};

/// All that a struct's describe() declared, without the C++ types.
struct FieldTable {
    using Rule = std::function<std::optional<Complaint>(const void* owner)>;

    std::deque<FieldInfo> fields;  // addresses stay valid while fields are added
    std::vector<Rule> rules;

    [[nodiscard]] const FieldInfo* find(std::string_view name) const;
    /// Adds a field; a name that is taken is a bug of the program.
    FieldInfo& add(std::string_view name, std::string_view help, const ValueType& type);
};

/// "1 to 8", "at least 1 ns", "more than 0 B", "one of 1, 2, 4"; empty when everything is accepted.
[[nodiscard]] std::string to_text(const Limits& limits);
/// A value on one line, as the user would write it: `25 us`, `{d_choices: {d: 10}}`, `~`.
[[nodiscard]] std::string brief(const ValueType& type, const void* value);

/// The ValueType class of a C++ type; specialised beside each of those classes.
template <class T>
struct TypeFor;

template <class T>
const ValueType& type_of() {
    static const typename TypeFor<T>::type type;
    return type;
}

/// What a field's range speaks of: T itself, or the innermost element of lists and optionals.
template <class T>
struct Element {
    using type = T;
};
template <class T>
struct Element<std::optional<T>> : Element<T> {};
template <class T>
struct Element<std::vector<T>> : Element<T> {};

}  // namespace ftlab::config
