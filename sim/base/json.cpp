// SPDX-License-Identifier: MIT
#include "sim/base/json.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sim/base/text.h"

namespace ftlab {

namespace {

using Json = nlohmann::ordered_json;

std::string scalar(const Json& json) {
    if (json.is_number_float()) {
        const auto value = json.get<double>();
        return std::isfinite(value) ? text::number(value) : "null";
    }
    // Bytes that are not UTF-8 must not stop a result from being written.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_flat(const Json& list) {
    return std::none_of(list.begin(), list.end(), [](const Json& item) { return item.is_structured(); });
}

void append(std::string& out, const Json& json, std::size_t level) {
    if (!json.is_structured() || json.empty()) {
        out += scalar(json);
        return;
    }
    const bool one_line = json.is_array() && is_flat(json);
    const std::string separator = one_line ? ", " : ",\n" + std::string(2 * (level + 1), ' ');
    out += json.is_object() ? "{" : "[";
    out += one_line ? "" : "\n" + std::string(2 * (level + 1), ' ');
    bool first = true;
    for (const auto& item : json.items()) {
        out += first ? "" : separator;
        first = false;
        if (json.is_object()) {
            out += scalar(item.key()) + ": ";
        }
        append(out, item.value(), level + 1);
    }
    out += one_line ? "" : "\n" + std::string(2 * level, ' ');
    out += json.is_object() ? "}" : "]";
}

/// Whether YAML reads `text` back as this text without quotes.
bool is_plain(std::string_view text) {
    const auto is_alnum = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    const auto fits = [&is_alnum](char c) {
        return is_alnum(c) || std::string_view{"_./ %+-"}.find(c) != std::string_view::npos;
    };
    const bool negative = text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9';
    return !text.empty() && (negative || is_alnum(text.front())) && text.back() != ' ' &&
           std::all_of(text.begin(), text.end(), fits) && text != "null" && text != "Null" && text != "NULL";
}

void append_yaml(std::string& out, const Json& json) {
    if (json.is_string()) {
        const auto& text = json.get_ref<const std::string&>();
        out += is_plain(text) ? text : scalar(json);
        return;
    }
    if (!json.is_structured()) {
        out += json.is_null() ? "~" : scalar(json);
        return;
    }
    out += json.is_object() ? "{" : "[";
    bool first = true;
    for (const auto& item : json.items()) {
        out += first ? "" : ", ";
        first = false;
        if (json.is_object()) {
            append_yaml(out, item.key());
            out += ": ";
        }
        append_yaml(out, item.value());
    }
    out += json.is_object() ? "}" : "]";
}

}  // namespace

std::string to_text(const nlohmann::ordered_json& json) {
    std::string out;
    append(out, json, 0);
    return out + "\n";
}

std::string to_yaml_line(const nlohmann::ordered_json& json) {
    std::string out;
    append_yaml(out, json);
    return out;
}

}  // namespace ftlab
