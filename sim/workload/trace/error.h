// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ftlab::workload {

/// A trace that cannot be used as it is: names the place, what is wrong there, and how to go on.
/// what() is `file:line:column: sentence`, without the numbers that are zero.
class TraceError : public std::runtime_error {
public:
    /// Lines and columns (in bytes) count from 1; 0 where the error concerns the whole file or line.
    TraceError(std::string file, std::uint64_t line, std::uint64_t column, std::string sentence);

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::uint64_t line() const { return line_; }
    [[nodiscard]] std::uint64_t column() const { return column_; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }

private:
    std::string file_;
    std::uint64_t line_;
    std::uint64_t column_;
    std::string sentence_;
};

/// Text of the user as errors quote it: in '', without control characters, cut after 40.
std::string quoted(std::string_view text);

}  // namespace ftlab::workload
