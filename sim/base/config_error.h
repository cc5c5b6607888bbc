// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ftlab::config {

/// Where a value was written.  `file` is a path as the user knows it, or "--set"; line and column count from 1,
/// columns in bytes.  For "--set" the line is the ordinal of the option.
struct Place {
    std::string file;
    int line = 1;
    int column = 1;

    friend bool operator==(const Place&, const Place&) = default;
};

/// One thing that is wrong with the user's input.  `path` is dotted (`phases[2].run.duration`), empty for the whole
/// file; `sentence` says what is wrong and, after a semicolon, how to write it right.
struct Problem {
    Place place;
    std::string path;
    std::string sentence;
};

/// "file:line:column"
[[nodiscard]] std::string to_string(const Place& place);
std::ostream& operator<<(std::ostream& out, const Place& place);
/// "file:line:column: path: sentence"
[[nodiscard]] std::string to_string(const Problem& problem);

/// Path of a key or of a list item below `path`; a key that is not a plain name is put in quotes.
[[nodiscard]] std::string key_path(std::string_view path, std::string_view key);
[[nodiscard]] std::string item_path(std::string_view path, std::size_t index);

/// The user's input cannot be used.  what() has one line a problem, in the order of the files' text, files in the
/// order in which they first appear; beyond the first 200 problems it only counts.
class Error : public std::runtime_error {
public:
    explicit Error(std::vector<Problem> problems);

    [[nodiscard]] const std::vector<Problem>& problems() const { return problems_; }

private:
    std::vector<Problem> problems_;
};

/// Throws Error when there are problems.
void throw_if_any(std::vector<Problem> problems);

}  // namespace ftlab::config
