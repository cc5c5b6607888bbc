// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

namespace ftlab::text {

namespace {

constexpr std::size_t kMaxQuoted = 60;
constexpr std::size_t kMaxListedNames = 30;

/// Three significant digits.
std::string three_digits(double value) {
    const double size = std::fabs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    std::array<char, 64> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

struct Step {
    double factor;
    const char* unit;
};

/// The largest unit of which there is at least one after rounding.
template <std::size_t N>
std::string with_unit(double value, const std::array<Step, N>& smallest_first) {
    const Step* chosen = smallest_first.data();
    for (const Step& step : smallest_first) {
        if (std::fabs(value) >= step.factor * 0.9995) {
            chosen = &step;
        }
    }
    return three_digits(value / chosen->factor) + chosen->unit;
}

}  // namespace

std::string number(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    std::array<char, 32> buffer{};  // the longest shortest double has 24 characters
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

std::string quote(std::string_view text) {
    std::string quoted = "\"";
    std::size_t shown = 0;
    while (!text.empty()) {
        if (shown == kMaxQuoted) {
            return quoted + "...\"";
        }
        ++shown;
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0 || first < 0x20 || first == 0x7f) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\x%02x", static_cast<unsigned>(first));
            quoted += first == '\n' ? "\\n" : first == '\t' ? "\\t" : escape.data();
            text.remove_prefix(1);
        } else {
            quoted += text.substr(0, length);
            text.remove_prefix(length);
        }
    }
    return quoted + "\"";
}

std::size_t utf8_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty()) {
        return 0;
    }
    const unsigned char first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) {
            return 0;
        }
    }
    // over-long forms, surrogates, beyond U+10FFFF
    const bool wrong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
                       (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90);
    return wrong ? 0 : length;
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string{text};
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += '"';
        }
    }
    return quoted + "\"";
}

std::string people(Time value) {
    static constexpr std::array kSteps{Step{1, " ps"},   Step{1e3, " ns"},    Step{1e6, " us"},   Step{1e9, " ms"},
                                       Step{1e12, " s"}, Step{60e12, " min"}, Step{3600e12, " h"}};
    return value.count() == 0 ? "0 s" : with_unit(static_cast<double>(value.count()), kSteps);
}

std::string people(Bytes value) {
    static constexpr std::array kSteps{Step{1, " B"},        Step{0x1p10, " KiB"}, Step{0x1p20, " MiB"},
                                       Step{0x1p30, " GiB"}, Step{0x1p40, " TiB"}, Step{0x1p50, " PiB"}};
    return value.count < 1024 ? std::to_string(value.count) + " B"
                              : with_unit(static_cast<double>(value.count), kSteps);
}

std::string people(Bandwidth value) {
    static constexpr std::array kSteps{Step{1, " B/s"}, Step{1e3, " kB/s"}, Step{1e6, " MB/s"}, Step{1e9, " GB/s"},
                                       Step{1e12, " TB/s"}};
    return value.bytes_per_second < 1000 ? std::to_string(value.bytes_per_second) + " B/s"
                                         : with_unit(static_cast<double>(value.bytes_per_second), kSteps);
}

std::string people(Ratio value) { return three_digits(value.value * 100) + "%"; }

std::string people_count(double value) {
    static constexpr std::array kSteps{Step{1, ""}, Step{1e3, "K"}, Step{1e6, "M"}, Step{1e9, "G"}, Step{1e12, "T"}};
    if (std::fabs(value) < 999.5) {
        std::string digits = value == std::floor(value) ? std::to_string(static_cast<int>(value)) : three_digits(value);
        return digits;
    }
    return with_unit(value, kSteps);
}

std::string people_iops(double per_second) { return people_count(per_second) + " IOPS"; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

std::string_view nearest(std::string_view wrong, std::span<const std::string_view> names) {
    constexpr std::size_t kLongestName = 64;  // chosen: no name of ours is longer, and the cost is quadratic
    std::string_view best;
    if (wrong.empty() || wrong.size() > kLongestName) {
        return best;
    }
    // Chosen: a third of the letters may be wrong, at least one; so "rtae" finds "rate" and "foo" does not find "bar".
    std::size_t allowed = std::max<std::size_t>(1, wrong.size() / 3);
    for (const std::string_view name : names) {
        const std::size_t distance = edit_distance(wrong, name);
        if (distance <= allowed && distance < name.size()) {
            best = name;
            if (distance == 0) {
                break;
            }
            allowed = distance - 1;
        }
    }
    return best;
}

std::string suggest(std::string_view wrong, std::span<const std::string_view> names) {
    if (const std::string_view meant = nearest(wrong, names); !meant.empty()) {
        return "did you mean " + quote(meant) + "?";
    }
    std::string list;
    for (const std::string_view name : names.subspan(0, std::min(names.size(), kMaxListedNames))) {
        list += (list.empty() ? "write one of: " : ", ") + std::string{name};
    }
    return names.size() > kMaxListedNames ? list + ", ..." : list;
}

}  // namespace ftlab::text
