// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/workload/trace/input.h"
#include "sim/workload/trace/reader.h"

namespace ftlab::workload {

/// A line that does not follow its format.  TextTraceReader adds file and line.
struct LineError {
    std::uint64_t column;  // from 1; 0 for the line as a whole
    std::string sentence;
};

/// What a text format knows: how one line reads.  May keep state from line to line.
class LineParser {
public:
    LineParser() = default;
    LineParser(const LineParser&) = delete;
    LineParser& operator=(const LineParser&) = delete;
    virtual ~LineParser() = default;

    /// The request on `line` (which is not blank; blanks around it are gone), or nothing where the format says that
    /// such a line is none.  Throws LineError.  Must not change its state before it has accepted the line.
    virtual std::optional<TraceRecord> parse(std::string_view line) = 0;
};

/// A trace reader for any format of one request a line.
std::unique_ptr<TraceReader> make_text_reader(TraceInput input,
                                              const TraceOptions& options,
                                              std::unique_ptr<LineParser> parser);

/// Which share, in percent, of the first lines `looks_right` accepts; blank lines do not count.
unsigned score_lines(std::string_view head, bool (*looks_right)(std::string_view line));

enum class Separator : char {
    comma,   // one comma, with any blanks around it
    blanks,  // any spaces and tabs
};

/// The fields of a line from left to right.  `name` is what an error calls the field; every call takes one field and
/// throws LineError where there is none, or where it is not what the call asks for.
class LineFields {
public:
    LineFields(std::string_view line, Separator separator) : line_{line}, separator_{separator} {}

    std::string_view text(const char* name);
    std::uint64_t number(const char* name);
    /// Bytes below kTraceByteLimit, a multiple of 512.
    std::uint64_t bytes(const char* name);
    std::int64_t signed_bytes(const char* name);
    /// Decimal seconds, not negative; digits after the ninth decimal are dropped.
    std::chrono::nanoseconds seconds(const char* name);
    /// The operation whose word the field is.
    Op op(const char* name, std::initializer_list<std::pair<std::string_view, Op>> words);
    /// Throws where a field is left.
    void expect_end();

    /// Whether a field is left.
    [[nodiscard]] bool more() const { return !ended_; }
    /// Refuses the field taken last: `sentence` follows "the offset '12x' ".
    [[noreturn]] void refuse(const char* name, std::string_view sentence) const;

private:
    template <class Integer>
    Integer integer(const char* name);

    std::string_view line_;
    Separator separator_;
    std::string_view field_;
    std::size_t field_at_ = 0;
    std::size_t next_ = 0;
    bool ended_ = false;
};

}  // namespace ftlab::workload
