// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/config_composite.h"
#include "sim/base/config_scalar.h"
#include "sim/base/config_value_type.h"

namespace ftlab::config {

/// Refines the field just declared.  T is the field's type or, for lists and optionals, the innermost element's.
/// Bounds are inclusive unless said otherwise.
template <class T>
class Field {
public:
    explicit Field(FieldInfo& info) : info_{&info} {}

    /// The user must write it.
    Field& required() {
        info_->required = true;
        return *this;
    }
    Field& at_least(const T& low) {
        info_->limits.low = bound(low, false);
        return *this;
    }
    Field& at_most(const T& high) {
        info_->limits.high = bound(high, false);
        return *this;
    }
    Field& range(const T& low, const T& high) { return at_least(low).at_most(high); }
    Field& more_than(const T& low) {
        info_->limits.low = bound(low, true);
        return *this;
    }
    Field& less_than(const T& high) {
        info_->limits.high = bound(high, true);
        return *this;
    }
    Field& positive() { return more_than(T{}); }
    Field& one_of(std::initializer_list<T> values) {
        for (const T& value : values) {
            info_->limits.allowed.push_back(TextValue<T>::format(value));
        }
        return *this;
    }
    /// A list with at least one item, a text with at least one character.
    Field& non_empty() {
        info_->limits.non_empty = true;
        return *this;
    }

private:
    static Bound bound(const T& value, bool open) {
        const auto number = as_number(value);
        static_assert(PlainNumber<T> || std::same_as<T, Time> || std::same_as<T, Bytes> || std::same_as<T, Bandwidth> ||
                          std::same_as<T, Ratio>,
                      "only numbers and quantities have ranges");
        return {*number, open, TextValue<T>::format(value)};
    }

    FieldInfo* info_;
};

/// What P::describe(Fields<P>&) speaks to: `f("rate", &P::rate, "help").positive();`
template <class P>
class Fields {
public:
    explicit Fields(FieldTable& table) : table_{&table} {}

    template <class T, class Owner>
    requires std::derived_from<P, Owner> Field<typename Element<T>::type>
    operator()(std::string_view name, T Owner::*member, std::string_view help) {
        FieldInfo& info = table_->add(name, help, type_of<T>());
        info.locate = [member](void* owner) -> void* { return &(static_cast<P*>(owner)->*member); };
        return Field<typename Element<T>::type>{info};
    }

    /// A rule between fields: `rule(const P&)` returns a Complaint when it is broken.  Runs only when every field of
    /// P was read without a problem.
    template <std::invocable<const P&> Rule>
    void check(Rule rule) {
        table_->rules.push_back([rule = std::move(rule)](const void* owner) -> std::optional<Complaint> {
            return rule(*static_cast<const P*>(owner));
        });
    }

private:
    FieldTable* table_;
};

template <class P>
FieldTable fields_of() {
    FieldTable table;
    Fields<P> fields{table};
    P::describe(fields);
    return table;
}

}  // namespace ftlab::config
