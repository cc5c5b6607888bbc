// SPDX-License-Identifier: MIT
#include "sim/base/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <system_error>

#include "sim/base/text.h"

namespace ftlab {

namespace {

__extension__ using Wide = unsigned __int128;

enum class Kind : std::uint8_t { time, size, bandwidth, ratio };

struct Unit {
    std::string_view name;
    Kind kind;
    std::uint64_t factor;
};

constexpr std::uint64_t kMinute = 60'000'000'000'000ULL;  // in ps

/// Per kind from small to large.  exact_text() writes all but min and h.
constexpr std::array kUnits{
    Unit{"ps", Kind::time, 1},
    Unit{"ns", Kind::time, 1'000},
    Unit{"us", Kind::time, 1'000'000},
    Unit{"ms", Kind::time, 1'000'000'000},
    Unit{"s", Kind::time, 1'000'000'000'000},
    Unit{"min", Kind::time, kMinute},
    Unit{"h", Kind::time, 60 * kMinute},
    Unit{"B", Kind::size, 1},
    Unit{"kB", Kind::size, 1'000},
    Unit{"KiB", Kind::size, 1ULL << 10U},
    Unit{"MB", Kind::size, 1'000'000},
    Unit{"MiB", Kind::size, 1ULL << 20U},
    Unit{"GB", Kind::size, 1'000'000'000},
    Unit{"GiB", Kind::size, 1ULL << 30U},
    Unit{"TB", Kind::size, 1'000'000'000'000},
    Unit{"TiB", Kind::size, 1ULL << 40U},
    Unit{"B/s", Kind::bandwidth, 1},
    Unit{"kB/s", Kind::bandwidth, 1'000},
    Unit{"KiB/s", Kind::bandwidth, 1ULL << 10U},
    Unit{"MB/s", Kind::bandwidth, 1'000'000},
    Unit{"MiB/s", Kind::bandwidth, 1ULL << 20U},
    Unit{"GB/s", Kind::bandwidth, 1'000'000'000},
    Unit{"GiB/s", Kind::bandwidth, 1ULL << 30U},
    Unit{"%", Kind::ratio, 1},
};

/// How to speak of a kind of quantity.
struct Words {
    std::string_view noun;
    std::string_view example;
    std::string_view usual_unit;
    std::string_view whole;  // "a whole number of ..."
    std::string_view largest;
};

constexpr Words words(Kind kind) {
    switch (kind) {
        case Kind::time:
            return {"time", "25 us", "us", "picoseconds", "2562 h"};
        case Kind::size:
            return {"size", "16 KiB", "KiB", "bytes", "16777215 TiB"};
        case Kind::bandwidth:
            return {"bandwidth", "200 MB/s", "MB/s", "bytes a second", "18446744073 GB/s"};
        case Kind::ratio:
            return {"percentage", "7%", "%", "", ""};
    }
    return {};
}

std::string in_quotes(std::string_view number, std::string_view unit) {
    return text::quote(std::string{number} + (unit == "%" ? "" : " ") + std::string{unit});
}

std::string units_of(Kind kind) {
    std::string list;
    for (const Unit& unit : kUnits) {
        if (unit.kind == kind) {
            list += (list.empty() ? "" : ", ") + std::string{unit.name};
        }
    }
    return list;
}

const Unit* find_unit(std::string_view name) {
    const auto* const at =
        std::find_if(kUnits.begin(), kUnits.end(), [name](const Unit& unit) { return unit.name == name; });
    return at == kUnits.end() ? nullptr : at;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

/// A text taken apart: "-1.50 us" is negative, whole "1", fraction "50", unit "us", number "-1.50".
struct Quantity {
    std::string_view number;  // without the unit, as written
    std::string_view unit;    // empty: none
    bool negative = false;
    std::string_view whole;
    std::string_view fraction;  // digits after the point
};

/// [-]digits[.digits] and whatever follows; none when it does not begin like that.
std::optional<Quantity> split(std::string_view text) {
    text = trimmed(text);
    Quantity parts;
    std::size_t at = 0;
    const auto digits = [text, &at] {
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at])) {
            ++at;
        }
        return text.substr(begin, at - begin);
    };
    if (!text.empty() && text.front() == '-') {
        parts.negative = true;
        at = 1;
    }
    parts.whole = digits();
    if (parts.whole.empty()) {
        return std::nullopt;
    }
    if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
        ++at;
        parts.fraction = digits();
    }
    parts.number = text.substr(0, at);
    parts.unit = trimmed(text.substr(at));
    return parts;
}

/// value = digits * factor / 10^decimals, if that is a whole number of at most `largest`.
struct Scaled {
    std::uint64_t value = 0;
    bool too_large = false;
    bool not_whole = false;
};

Scaled scale(const Quantity& parts, std::uint64_t factor, std::uint64_t largest) {
    std::string_view fraction = parts.fraction;
    while (!fraction.empty() && fraction.back() == '0') {
        fraction.remove_suffix(1);
    }
    constexpr std::size_t kEnoughDecimals = 15;  // 1 h = 3.6e15 ps: more decimals are never whole
    if (fraction.size() > kEnoughDecimals) {
        return {.not_whole = true};
    }
    Wide digits = 0;
    const Wide ceiling = static_cast<Wide>(largest) * 1'000'000'000'000'000ULL;
    for (const std::string_view run : {parts.whole, fraction}) {
        for (const char c : run) {
            digits = digits * 10 + static_cast<unsigned>(c - '0');
            if (digits > ceiling) {
                return {.too_large = true};
            }
        }
    }
    Wide divisor = 1;
    for (std::size_t i = 0; i < fraction.size(); ++i) {
        divisor *= 10;
    }
    Wide product = 0;
    if (__builtin_mul_overflow(digits, static_cast<Wide>(factor), &product) || product / divisor > largest) {
        return {.too_large = true};
    }
    if (product % divisor != 0) {
        return {.not_whole = true};
    }
    return {.value = static_cast<std::uint64_t>(product / divisor)};
}

std::string in_lower_case(std::string_view text) {
    std::string lower{text};
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

/// How to write an unknown unit: the same letters in another case, without the B, "ps" for "/s".
std::string unit_suggestion(std::string_view number, std::string_view unit, Kind wanted) {
    std::string lower = in_lower_case(unit);
    if (wanted == Kind::time) {
        lower = lower == "\u00b5s" || lower == "\u03bcs" ? "us" : lower;
    } else {
        const bool rate = lower.ends_with("/s") || lower.ends_with("ps");
        std::string letters{unit.substr(0, unit.size() - (rate ? 2 : 0))};
        const bool careful = !letters.empty() && letters.front() >= 'A' && letters.front() <= 'Z';  // "kb" is not
        if (letters.find("bit") != std::string::npos || (careful && letters.ends_with('b'))) {
            return "b is for bits; write bytes, like " + text::quote(words(wanted).example);
        }
        letters = in_lower_case(letters);
        lower = letters + (letters.ends_with('b') ? "" : "b") + (wanted == Kind::bandwidth ? "/s" : "");
    }
    std::string meant;  // in the case of two, the powers of 1000
    std::string binary;
    for (const Unit& each : kUnits) {
        const std::string name = in_lower_case(each.name);
        if (each.kind == wanted && name == lower) {
            meant = in_quotes(number, each.name);
        } else if (each.kind == wanted && name.size() > 1 && name[1] == 'i' &&
                   name.substr(0, 1) + name.substr(2) == lower) {
            binary = in_quotes(number, each.name);
        }
    }
    if (meant.empty()) {
        return "units: " + units_of(wanted);
    }
    return "write " + (binary.empty() ? meant : meant + " (powers of 1000) or " + binary + " (powers of 1024)");
}

/// The sentence for a text that is no quantity of the wanted kind, or empty when its unit is right.
std::string unit_complaint(std::string_view text, const std::optional<Quantity>& parts, Kind wanted) {
    const Words want = words(wanted);
    const std::string like = std::string{"; write it like "} + text::quote(want.example);
    if (!parts) {
        return text::quote(text) + " is not a " + std::string{want.noun} + like;
    }
    if (parts->unit.empty()) {
        return text::quote(text) + " has no unit; write " + in_quotes(parts->number, want.usual_unit) +
               " (units: " + units_of(wanted) + ")";
    }
    const Unit* unit = find_unit(parts->unit);
    if (unit != nullptr) {
        return unit->kind == wanted ? ""
                                    : text::quote(text) + " is a " + std::string{words(unit->kind).noun} + ", but a " +
                                          std::string{want.noun} + " is wanted" + like;
    }
    const bool exponent = (parts->unit.front() == 'e' || parts->unit.front() == 'E') && parts->unit.size() > 1 &&
                          (is_digit(parts->unit[1]) || parts->unit[1] == '+' || parts->unit[1] == '-');
    if (exponent || is_digit(parts->unit.front()) || parts->unit.find_first_of(".,_'") != std::string_view::npos) {
        return text::quote(text) + " is not a plain decimal number with a unit" + like;
    }
    return text::quote(text) + " has the unknown unit " + text::quote(parts->unit) + "; " +
           unit_suggestion(parts->number, parts->unit, wanted);
}

Parsed<std::uint64_t> parse_quantity(std::string_view text, Kind kind, std::uint64_t largest) {
    const auto parts = split(text);
    if (std::string complaint = unit_complaint(text, parts, kind); !complaint.empty()) {
        return {0, std::move(complaint)};
    }
    const Words say = words(kind);
    const Scaled scaled = scale(*parts, find_unit(parts->unit)->factor, largest);
    if (scaled.too_large) {
        return {0, text::quote(text) + " is too large; write at most " + std::string{say.largest}};
    }
    if (scaled.not_whole) {
        return {0, text::quote(text) + " is not a whole number of " + std::string{say.whole} +
                       "; write a multiple of 1 " +
                       (kind == Kind::time   ? "ps"
                        : kind == Kind::size ? "B"
                                             : "B/s")};
    }
    if (parts->negative && scaled.value != 0) {
        return {0, text::quote(text) + " is negative; write a " + std::string{say.noun} + " of 0 or more"};
    }
    return {scaled.value, {}};
}

std::string percent_sign_complaint(std::string_view text, std::string_view number) {
    double value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    const std::string literally = text::quote(std::string{number} + "%");
    const std::string begin = text::quote(text) + " has no percent sign; write ";
    // 0.07 is a share for most people, 7 a percentage
    return std::fabs(value) < 1 && value != 0
               ? begin + text::quote(exact_text(Ratio{value})) + ", or " + literally + " if that is meant"
               : begin + literally;
}

/// For a plain number: the complaint about a text that is something else.
std::string plain_complaint(std::string_view text, std::string_view wanted) {
    const auto parts = split(text);
    const Unit* unit = parts ? find_unit(parts->unit) : nullptr;
    if (unit != nullptr) {
        return text::quote(text) + " is a " + std::string{words(unit->kind).noun} + ", but a " + std::string{wanted} +
               " without a unit is wanted; write it like " + text::quote(wanted == "number" ? "0.5" : "16");
    }
    return text::quote(text) + " is not a " + std::string{wanted} + "; write it like " +
           text::quote(wanted == "number" ? "0.5" : "16");
}

bool is_whole_number(std::string_view text) {
    const std::size_t sign = !text.empty() && text.front() == '-' ? 1 : 0;
    return text.size() > sign && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(sign), text.end(), is_digit);
}

std::string whole_number_complaint(std::string_view text) {
    const auto parts = split(text);
    if (parts && parts->unit.empty() && !parts->fraction.empty()) {
        return text::quote(text) + " is not a whole number; write it without decimals";
    }
    return plain_complaint(text, "whole number");
}

/// The shortest of "<number> <unit>" over the kind's units with at most three decimals; of equals the largest unit.
std::string shortest_text(std::uint64_t value, Kind kind) {
    std::string best;
    for (const Unit& unit : kUnits) {
        if (unit.kind != kind || unit.factor % kMinute == 0 || (value < unit.factor && unit.factor > 1)) {
            continue;
        }
        std::string candidate = std::to_string(value / unit.factor);
        const Wide thousandths = static_cast<Wide>(value % unit.factor) * 1000;
        if (thousandths % unit.factor != 0) {
            continue;
        }
        if (auto rest = static_cast<unsigned>(thousandths / unit.factor); rest != 0) {
            std::string decimals = std::to_string(1000 + rest).substr(1);
            decimals.erase(decimals.find_last_not_of('0') + 1);
            candidate += "." + decimals;
        }
        candidate += " " + std::string{unit.name};
        if (best.empty() || candidate.size() <= best.size()) {
            best = std::move(candidate);
        }
    }
    return best;
}

}  // namespace

Parsed<Time> parse_time(std::string_view text) {
    auto parsed = parse_quantity(text, Kind::time, std::numeric_limits<std::int64_t>::max());
    return {Time{static_cast<std::int64_t>(parsed.value)}, std::move(parsed.complaint)};
}

Parsed<Bytes> parse_bytes(std::string_view text) {
    auto parsed = parse_quantity(text, Kind::size, std::numeric_limits<std::uint64_t>::max());
    return {Bytes{parsed.value}, std::move(parsed.complaint)};
}

Parsed<Bandwidth> parse_bandwidth(std::string_view text) {
    auto parsed = parse_quantity(text, Kind::bandwidth, std::numeric_limits<std::uint64_t>::max());
    return {Bandwidth{parsed.value}, std::move(parsed.complaint)};
}

Parsed<Ratio> parse_ratio(std::string_view text) {
    const auto parts = split(text);
    // "7e-05%" is what exact_text() writes for tiny values.
    std::string_view digits = trimmed(text);
    if (!digits.empty() && digits.back() == '%') {
        digits = trimmed(digits.substr(0, digits.size() - 1));
        const std::size_t e = std::min(digits.find('e'), digits.size());
        int exponent = 0;
        const std::string_view after = digits.substr(std::min(e + 1, digits.size()));
        const char* const begin = after.data() + (!after.empty() && after.front() == '+' ? 1 : 0);
        const auto read = std::from_chars(begin, after.data() + after.size(), exponent);
        const bool exponent_is_good =
            e == digits.size() || (read.ec == std::errc{} && read.ptr == after.data() + after.size());
        const auto mantissa = split(digits.substr(0, e));
        if (exponent_is_good && mantissa && mantissa->unit.empty()) {
            // Shifting the decimal exponent keeps the value exact, dividing by 100 would not.
            const std::string shifted =
                std::string{mantissa->number} + "e" + std::to_string(static_cast<std::int64_t>(exponent) - 2);
            double value = 0;
            if (std::from_chars(shifted.data(), shifted.data() + shifted.size(), value).ec == std::errc{}) {
                return {Ratio{value}, {}};
            }
            return {Ratio{}, text::quote(text) + " is too large or too small; write it like \"7%\""};
        }
    }
    if (parts && parts->unit.empty()) {
        return {Ratio{}, percent_sign_complaint(text, parts->number)};
    }
    std::string complaint = unit_complaint(text, parts, Kind::ratio);
    return {Ratio{}, complaint.empty() ? text::quote(text) + " is not a percentage; write it like \"7%\"" : complaint};
}

Parsed<double> parse_number(std::string_view text) {
    double value = 0;
    const std::string_view digits = text.substr(!text.empty() && text.front() == '-' ? 1 : 0);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    // from_chars also takes "inf" and "nan"; a number begins and ends with a digit here
    if (digits.empty() || !is_digit(digits.front()) || !is_digit(digits.back()) ||
        read.ptr != text.data() + text.size()) {
        return {0, plain_complaint(text, "number")};
    }
    if (read.ec != std::errc{} || !std::isfinite(value)) {
        return {0, text::quote(text) + " is too large or too small; write a number between 1e-307 and 1e308"};
    }
    return {value, {}};
}

Parsed<std::int64_t> parse_signed(std::string_view text, std::int64_t low, std::int64_t high) {
    if (!is_whole_number(text)) {
        return {0, whole_number_complaint(text)};
    }
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc{} || value < low || value > high) {
        return {0,
                text::quote(text) + " is out of range; write " + std::to_string(low) + " to " + std::to_string(high)};
    }
    return {value, {}};
}

Parsed<std::uint64_t> parse_unsigned(std::string_view text, std::uint64_t high) {
    if (!is_whole_number(text)) {
        return {0, whole_number_complaint(text)};
    }
    if (text.front() == '-' && text.find_first_not_of("-0") != std::string_view::npos) {
        return {0, text::quote(text) + " is negative; write a number from 0 to " + std::to_string(high)};
    }
    const std::string_view digits = text.substr(text.front() == '-' ? 1 : 0);
    std::uint64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc{} || value > high) {
        return {0, text::quote(text) + " is too large; write at most " + std::to_string(high)};
    }
    return {value, {}};
}

Parsed<bool> parse_bool(std::string_view text) {
    if (text == "true" || text == "false") {
        return {text == "true", {}};
    }
    return {false, text::quote(text) + " is neither true nor false; write true or false"};
}

std::string exact_text(Time value) {
    if (value == Time{0}) {
        return "0 s";
    }
    const auto bits = static_cast<std::uint64_t>(value.count());
    return value < Time{0} ? "-" + shortest_text(0 - bits, Kind::time) : shortest_text(bits, Kind::time);
}

std::string exact_text(Bytes value) { return shortest_text(value.count, Kind::size); }

std::string exact_text(Bandwidth value) { return shortest_text(value.bytes_per_second, Kind::bandwidth); }

std::string exact_text(Ratio value) {
    if (value.value == 0) {
        return "0%";
    }
    // Take the shortest digits of the value apart ("-d.ddde-xx") and move the decimal point by two.
    std::array<char, 40> buffer{};
    const char* const end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.value, std::chars_format::scientific).ptr;
    const std::string_view written{buffer.data(), static_cast<std::size_t>(end - buffer.data())};
    const std::size_t e = written.find('e');
    if (e == std::string_view::npos) {
        return std::string{written} + "%";  // not finite: cannot come from a configuration
    }
    int exponent = 0;
    const std::size_t sign = written[e + 1] == '+' ? 2 : 1;
    std::from_chars(written.data() + e + sign, end, exponent);
    exponent += 2;
    std::string digits;
    for (const char c : written.substr(0, e)) {
        if (is_digit(c)) {
            digits += c;
        }
    }
    std::string out = written.front() == '-' ? "-" : "";
    constexpr int kPlainDigits = 18;
    if (exponent < -6 || exponent > kPlainDigits) {
        out += digits.substr(0, 1) + (digits.size() > 1 ? "." + digits.substr(1) : "") + "e" + std::to_string(exponent);
    } else if (exponent < 0) {
        out += "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    } else {
        const auto whole = static_cast<std::size_t>(exponent) + 1;
        digits.resize(std::max(digits.size(), whole), '0');
        out += digits.substr(0, whole) + (digits.size() > whole ? "." + digits.substr(whole) : "");
    }
    return out + "%";
}

std::string exact_text(double value) { return text::number(value); }

}  // namespace ftlab
