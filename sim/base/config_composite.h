// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/config_value_type.h"

namespace ftlab::config {

/// Builds the table of P's fields by running P::describe(); defined in config_fields.h.
template <class P>
FieldTable fields_of();

class StructTypeBase : public ValueType {
public:
    void read(void* value, const Node& node, const Limits& limits, Reader& reader) const final;
    void read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const final;
    void write(const void* value, nlohmann::ordered_json& out) const final;
    [[nodiscard]] std::string name(const Catalog* /*catalog*/) const final { return "group"; }
    void explain(const void* value, ManualWriter& manual) const final;

protected:
    ~StructTypeBase() = default;
};

template <class P>
class StructType final : public StructTypeBase {
public:
    [[nodiscard]] FieldTable fields() const override { return fields_of<P>(); }
};

class OptionalTypeBase : public ValueType {
public:
    void read(void* value, const Node& node, const Limits& limits, Reader& reader) const final;
    void read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const final;
    void write(const void* value, nlohmann::ordered_json& out) const final;
    [[nodiscard]] std::string name(const Catalog* catalog) const final { return element().name(catalog) + " or ~"; }
    void explain(const void* value, ManualWriter& manual) const final;

protected:
    ~OptionalTypeBase() = default;
    [[nodiscard]] virtual const ValueType& element() const = 0;
    [[nodiscard]] virtual std::shared_ptr<void> fresh() const = 0;
    /// nullptr when there is none.
    [[nodiscard]] virtual void* content(void* value) const = 0;
    virtual void clear(void* value) const = 0;
    virtual void emplace(void* value, void* content) const = 0;
};

template <class T>
class OptionalType final : public OptionalTypeBase {
    [[nodiscard]] const ValueType& element() const override { return type_of<T>(); }
    [[nodiscard]] std::shared_ptr<void> fresh() const override { return std::make_shared<T>(); }
    [[nodiscard]] void* content(void* value) const override {
        auto& optional = *static_cast<std::optional<T>*>(value);
        return optional.has_value() ? &*optional : nullptr;
    }
    void clear(void* value) const override { static_cast<std::optional<T>*>(value)->reset(); }
    void emplace(void* value, void* content) const override {
        *static_cast<std::optional<T>*>(value) = std::move(*static_cast<T*>(content));
    }
};

class ListTypeBase : public ValueType {
public:
    void read(void* value, const Node& node, const Limits& limits, Reader& reader) const final;
    void read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const final;
    void write(const void* value, nlohmann::ordered_json& out) const final;
    [[nodiscard]] std::string name(const Catalog* catalog) const final { return "list of " + element().name(catalog); }
    void explain(const void* value, ManualWriter& manual) const final;

protected:
    ~ListTypeBase() = default;
    [[nodiscard]] virtual const ValueType& element() const = 0;
    [[nodiscard]] virtual std::shared_ptr<void> fresh() const = 0;
    [[nodiscard]] virtual std::size_t size(const void* value) const = 0;
    [[nodiscard]] virtual void* item(void* value, std::size_t index) const = 0;
    /// Replaces the content by `count` default items.
    virtual void reset(void* value, std::size_t count) const = 0;
};

template <class T>
class ListType final : public ListTypeBase {
    static_assert(!std::same_as<T, bool>, "std::vector<bool> has no addressable items");

    [[nodiscard]] const ValueType& element() const override { return type_of<T>(); }
    [[nodiscard]] std::shared_ptr<void> fresh() const override { return std::make_shared<T>(); }
    [[nodiscard]] std::size_t size(const void* value) const override {
        return static_cast<const std::vector<T>*>(value)->size();
    }
    [[nodiscard]] void* item(void* value, std::size_t index) const override {
        return &(*static_cast<std::vector<T>*>(value))[index];
    }
    void reset(void* value, std::size_t count) const override {
        auto& list = *static_cast<std::vector<T>*>(value);
        list.clear();
        list.resize(count);
    }
};

template <class P>
requires requires { &P::describe; }
struct TypeFor<P> {
    using type = StructType<P>;
};
template <class T>
struct TypeFor<std::optional<T>> {
    using type = OptionalType<T>;
};
template <class T>
struct TypeFor<std::vector<T>> {
    using type = ListType<T>;
};

}  // namespace ftlab::config
