// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/config_value_type.h"
#include "sim/base/quantity.h"
#include "sim/base/units.h"

namespace ftlab::config {

/// Specialise to make a type of yours a scalar of the configuration:
///   static std::string name();                             what the manual calls it
///   static Parsed<T> parse(std::string_view text);
///   static std::string format(const T& value);             parse(format(v)).value == v
template <class T>
struct TextValue {
    static_assert(sizeof(T) == 0, "not a configuration type: give it describe(), EnumNames or TextValue");
};

/// Reads texts; everything that does not depend on the C++ type.
class ScalarType : public ValueType {
public:
    void read(void* value, const Node& node, const Limits& limits, Reader& reader) const final;
    void read_absent(void* value, const Place& place, const Limits& limits, Reader& reader) const final;
    void write(const void* value, nlohmann::ordered_json& out) const override;

    /// Returns the complaint, empty when `value` was set.
    [[nodiscard]] virtual std::string parse(std::string_view text, void* value) const = 0;
    [[nodiscard]] virtual std::string format(const void* value) const = 0;
    /// For ranges; none for what has no order.
    [[nodiscard]] virtual std::optional<long double> number(const void* value) const;

protected:
    ~ScalarType() = default;
    static void put(nlohmann::ordered_json& out, bool value);
    static void put(nlohmann::ordered_json& out, std::int64_t value);
    static void put(nlohmann::ordered_json& out, std::uint64_t value);
    static void put(nlohmann::ordered_json& out, double value);
};

template <class T>
concept PlainNumber = (std::integral<T> && !std::same_as<T, bool>) || std::floating_point<T>;

template <class T>
[[nodiscard]] std::optional<long double> as_number(const T& value) {
    if constexpr (PlainNumber<T>) {
        return static_cast<long double>(value);
    } else if constexpr (std::same_as<T, Time>) {
        return static_cast<long double>(value.count());
    } else if constexpr (std::same_as<T, Bytes>) {
        return static_cast<long double>(value.count);
    } else if constexpr (std::same_as<T, Bandwidth>) {
        return static_cast<long double>(value.bytes_per_second);
    } else if constexpr (std::same_as<T, Ratio>) {
        return static_cast<long double>(value.value);
    } else {
        return std::nullopt;
    }
}

template <>
struct TextValue<bool> {
    static std::string name() { return "true or false"; }
    static Parsed<bool> parse(std::string_view text) { return parse_bool(text); }
    static std::string format(bool value) { return value ? "true" : "false"; }
};
template <std::integral T>
struct TextValue<T> {
    static std::string name() { return "count"; }
    static Parsed<T> parse(std::string_view text) {
        if constexpr (std::signed_integral<T>) {
            auto wide = parse_signed(text, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
            return {static_cast<T>(wide.value), std::move(wide.complaint)};
        } else {
            auto wide = parse_unsigned(text, std::numeric_limits<T>::max());
            return {static_cast<T>(wide.value), std::move(wide.complaint)};
        }
    }
    static std::string format(T value) { return std::to_string(value); }
};
template <>
struct TextValue<double> {
    static std::string name() { return "number"; }
    static Parsed<double> parse(std::string_view text) { return parse_number(text); }
    static std::string format(double value) { return exact_text(value); }
};
template <>
struct TextValue<Ratio> {
    static std::string name() { return "percentage"; }
    static Parsed<Ratio> parse(std::string_view text) { return parse_ratio(text); }
    static std::string format(Ratio value) { return exact_text(value); }
};
template <>
struct TextValue<Time> {
    static std::string name() { return "time"; }
    static Parsed<Time> parse(std::string_view text) { return parse_time(text); }
    static std::string format(Time value) { return exact_text(value); }
};
template <>
struct TextValue<Bytes> {
    static std::string name() { return "size"; }
    static Parsed<Bytes> parse(std::string_view text) { return parse_bytes(text); }
    static std::string format(Bytes value) { return exact_text(value); }
};
template <>
struct TextValue<Bandwidth> {
    static std::string name() { return "bandwidth"; }
    static Parsed<Bandwidth> parse(std::string_view text) { return parse_bandwidth(text); }
    static std::string format(Bandwidth value) { return exact_text(value); }
};
template <>
struct TextValue<std::string> {
    static std::string name() { return "text"; }
    static Parsed<std::string> parse(std::string_view text) { return {std::string{text}, {}}; }
    static std::string format(const std::string& value) { return value; }
};

template <class E>
struct EnumName {
    E value;
    std::string_view name;
};

/// Specialise to give an enum its names: `static constexpr EnumName<E> kNames[] = {{Page::lsb, "lsb"}, ...};`
template <class E>
struct EnumNames;

/// The index of `text` in `names`, or a complaint with a suggestion.
[[nodiscard]] Parsed<std::size_t> parse_name(std::string_view text, std::span<const std::string_view> names);
/// "lsb | msb"
[[nodiscard]] std::string join_names(std::span<const std::string_view> names);

template <class E>
requires std::is_enum_v<E>
struct TextValue<E> {
    static std::string name() { return join_names(names()); }
    static Parsed<E> parse(std::string_view text) {
        auto index = parse_name(text, names());
        return {std::data(EnumNames<E>::kNames)[index.value].value, std::move(index.complaint)};
    }
    /// "?" for an enumerator without a name: it cannot be read either.
    static std::string format(E value) {
        for (const EnumName<E>& each : EnumNames<E>::kNames) {
            if (each.value == value) {
                return std::string{each.name};
            }
        }
        return "?";
    }

private:
    static std::vector<std::string_view> names() {
        std::vector<std::string_view> all;
        for (const EnumName<E>& each : EnumNames<E>::kNames) {
            all.push_back(each.name);
        }
        return all;
    }
};

template <class T>
class TextType final : public ScalarType {
public:
    [[nodiscard]] std::string name(const Catalog* /*catalog*/) const override { return TextValue<T>::name(); }
    [[nodiscard]] std::string parse(std::string_view text, void* value) const override {
        Parsed<T> parsed = TextValue<T>::parse(text);
        if (parsed) {
            *static_cast<T*>(value) = std::move(parsed.value);
        }
        return std::move(parsed.complaint);
    }
    [[nodiscard]] std::string format(const void* value) const override {
        return TextValue<T>::format(*static_cast<const T*>(value));
    }
    [[nodiscard]] std::optional<long double> number(const void* value) const override {
        return as_number(*static_cast<const T*>(value));
    }
    void write(const void* value, nlohmann::ordered_json& out) const override {
        if constexpr (std::same_as<T, bool> || std::same_as<T, double>) {
            put(out, *static_cast<const T*>(value));
        } else if constexpr (std::unsigned_integral<T>) {
            put(out, std::uint64_t{*static_cast<const T*>(value)});
        } else if constexpr (std::signed_integral<T>) {
            put(out, std::int64_t{*static_cast<const T*>(value)});
        } else {
            ScalarType::write(value, out);
        }
    }
};

/// What is neither a struct nor a container is text.
template <class T>
struct TypeFor {
    using type = TextType<T>;
};

}  // namespace ftlab::config
