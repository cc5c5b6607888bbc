// SPDX-License-Identifier: MIT
#include "sim/workload/trace/text.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/workload/trace/error.h"

namespace ftlab::workload {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

class TextTraceReader final : public TraceReader {
public:
    TextTraceReader(TraceInput input, const TraceOptions& options, std::unique_ptr<LineParser> parser)
        : TraceReader{input.name()},
          input_{std::move(input)},
          parser_{std::move(parser)},
          skip_bad_{options.skip_bad.value} {}

    bool next(TraceRecord& record) override {
        std::string_view line;
        while (input_.next_line(line)) {
            const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
            line.remove_prefix(indent);
            while (!line.empty() && is_blank(line.back())) {
                line.remove_suffix(1);
            }
            if (line.empty()) {
                ++counts_.other_lines;
                continue;
            }
            try {
                if (std::optional<TraceRecord> parsed = parser_->parse(line)) {
                    record = *parsed;
                    record.line = input_.line_number();
                    ++counts_.requests;
                    return true;
                }
                ++counts_.other_lines;
            } catch (const LineError& error) {
                damaged(error, indent);
            }
        }
        const auto lines = static_cast<double>(input_.line_number());
        if (static_cast<double>(counts_.damaged_lines) > skip_bad_ * lines) {
            throw TraceError{
                file(), 0, 0,
                fmt::format("{} of {} lines are damaged, more than the {:g}% that may be skipped; the first is {}",
                            counts_.damaged_lines, input_.line_number(), skip_bad_ * 100, counts_.first_damaged)};
        }
        return false;
    }

private:
    void damaged(const LineError& error, std::size_t indent) {
        const bool cut = input_.at_unended_line();
        TraceError placed{file(), input_.line_number(), error.column == 0 ? 0 : error.column + indent,
                          fmt::format("{}{}; repair the line, or skip damaged lines with --skip-bad 1%",
                                      cut ? "the file ends within this line: " : "", error.sentence)};
        if (skip_bad_ <= 0) {
            throw placed;  // NOLINT(misc-throw-by-value-catch-by-reference): made here
        }
        if (counts_.damaged_lines++ == 0) {
            counts_.first_damaged = placed.what();
        }
    }

    TraceInput input_;
    std::unique_ptr<LineParser> parser_;
    double skip_bad_;
};

}  // namespace

std::unique_ptr<TraceReader> make_text_reader(TraceInput input,
                                              const TraceOptions& options,
                                              std::unique_ptr<LineParser> parser) {
    return std::make_unique<TextTraceReader>(std::move(input), options, std::move(parser));
}

unsigned score_lines(std::string_view head, bool (*looks_right)(std::string_view)) {
    constexpr unsigned kLines = 16;  // chosen: enough to outvote a header and a few damaged lines
    unsigned lines = 0;
    unsigned right = 0;
    while (!head.empty() && lines < kLines) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 1, head.size()));
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
            ++lines;
            right += looks_right(line) ? 1U : 0U;
        }
    }
    return lines == 0 ? 0 : right * 100 / lines;
}

std::string_view LineFields::text(const char* name) {
    if (ended_) {
        throw LineError{line_.size() + 1, fmt::format("the line ends before its {}", name)};
    }
    std::size_t begin = next_;
    std::size_t end = begin;
    if (separator_ == Separator::comma) {
        end = std::min(line_.find(',', begin), line_.size());
        next_ = end + 1;
        ended_ = end == line_.size();
        while (begin < end && is_blank(line_[begin])) {
            ++begin;
        }
        while (begin < end && is_blank(line_[end - 1])) {
            --end;
        }
    } else {
        while (end < line_.size() && !is_blank(line_[end])) {
            ++end;
        }
        next_ = end;
        while (next_ < line_.size() && is_blank(line_[next_])) {
            ++next_;
        }
        ended_ = next_ == line_.size();
    }
    field_ = line_.substr(begin, end - begin);
    field_at_ = begin;
    return field_;
}

void LineFields::refuse(const char* name, std::string_view sentence) const {
    throw LineError{field_at_ + 1, fmt::format("the {} {} {}", name, quoted(field_), sentence)};
}

template <class Integer>
Integer LineFields::integer(const char* name) {
    const std::string_view field = text(name);
    Integer value{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc::result_out_of_range) {
        refuse(name, "does not fit in 64 bits");
    }
    if (error != std::errc{} || end != field.data() + field.size()) {
        const bool exponent = !field.empty() && is_digit(field.front()) && field.find_first_of("eE") != field.npos;
        refuse(name, exponent ? "is not a whole number (a spreadsheet may have rounded it: its last digits are lost)"
                              : "is not a whole number");
    }
    return value;
}

std::uint64_t LineFields::number(const char* name) { return integer<std::uint64_t>(name); }

std::int64_t LineFields::signed_bytes(const char* name) {
    const auto value = integer<std::int64_t>(name);
    if (value <= -kTraceByteLimit || value >= kTraceByteLimit) {
        refuse(name, "lies beyond 4 EiB, which no drive holds");
    }
    if (value % static_cast<std::int64_t>(kLbaSize.count) != 0) {
        refuse(name, "is not a multiple of 512 bytes");
    }
    return value;
}

std::uint64_t LineFields::bytes(const char* name) {
    const std::int64_t value = signed_bytes(name);
    if (value < 0) {
        refuse(name, "is negative");
    }
    return static_cast<std::uint64_t>(value);
}

std::chrono::nanoseconds LineFields::seconds(const char* name) {
    const std::string_view field = text(name);
    const std::size_t point = std::min(field.find('.'), field.size());
    std::uint64_t whole = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + point, whole);
    const std::string_view decimals = field.substr(std::min(point + 1, field.size()));
    const bool plain = std::all_of(decimals.begin(), decimals.end(), is_digit);
    if (error == std::errc::invalid_argument || end != field.data() + point || !plain) {
        refuse(name, "is not a number of seconds");
    }
    if (error != std::errc{} || whole >= static_cast<std::uint64_t>(kTraceStampLimit / std::chrono::seconds{1})) {
        refuse(name, "is more than 146 years");
    }
    std::int64_t nanoseconds = 0;
    for (std::size_t i = 0; i < 9; ++i) {
        nanoseconds = nanoseconds * 10 + (i < decimals.size() ? decimals[i] - '0' : 0);
    }
    return std::chrono::seconds{static_cast<std::int64_t>(whole)} + std::chrono::nanoseconds{nanoseconds};
}

Op LineFields::op(const char* name, std::initializer_list<std::pair<std::string_view, Op>> words) {
    const std::string_view field = text(name);
    for (const auto& [word, op] : words) {
        if (field == word) {
            return op;
        }
    }
    std::string known;
    for (const auto& [word, op] : words) {
        known += fmt::format("{}{}", known.empty() ? "" : ", ", word);
    }
    refuse(name, fmt::format("is none of {}", known));
}

void LineFields::expect_end() {
    if (!ended_) {
        text("end");
        throw LineError{field_at_ + 1, fmt::format("{} follows the last column", quoted(field_))};
    }
}

}  // namespace ftlab::workload
