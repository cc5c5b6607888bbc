// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::workload {

/// Where bytes come from: a file or pipe, text in memory.
class ByteStream {
public:
    ByteStream() = default;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;
    virtual ~ByteStream() = default;

    /// Up to out.size() bytes, 0 only at the end.  Throws TraceError where the bytes cannot be had.
    virtual std::size_t read(std::span<char> out) = 0;
};

/// A file, device or pipe, opened now; throws TraceError where that fails.  A directory fails at its first read.
std::unique_ptr<ByteStream> open_file(const std::string& path);

/// Bytes in memory.
std::unique_ptr<ByteStream> bytes_of(std::string text);

/// Whether a path leads to the same bytes each time it is opened; false for pipes and terminals.
bool is_rereadable(const std::string& path);

/// A stream of lines in constant memory.  Lines end in LF or CRLF; the last one need not end.  A byte order mark in
/// front of the first line is not part of it.
class TraceInput {
public:
    static constexpr std::size_t kBuffer = std::size_t{1} << 17U;
    static constexpr std::size_t kLongestLine = std::size_t{1} << 16U;  // chosen: a hundred times what formats need

    /// `name` is the place that errors give.
    TraceInput(std::string name, std::unique_ptr<ByteStream> stream);

    [[nodiscard]] const std::string& name() const { return name_; }

    /// The first bytes, up to kLongestLine, for guessing the format.  Only before the first line is taken.
    [[nodiscard]] std::string_view head();

    /// Takes the next line, without its end, valid until the next call; false after the last one.  Throws TraceError at
    /// a line beyond kLongestLine.
    bool next_line(std::string_view& line);

    /// Number of the line taken last, from 1.
    [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
    /// Whether the line taken last was followed by the end of the file instead of a line end.
    [[nodiscard]] bool at_unended_line() const { return unended_; }

private:
    /// Adds bytes behind end_; false when there are no more.
    bool refill();

    std::string name_;
    std::unique_ptr<ByteStream> stream_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;  // unread bytes are [begin_, end_)
    std::size_t end_ = 0;
    std::uint64_t line_number_ = 0;
    bool unended_ = false;
    bool exhausted_ = false;
};

}  // namespace ftlab::workload
