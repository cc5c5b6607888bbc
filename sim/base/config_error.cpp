// SPDX-License-Identifier: MIT
#include "sim/base/config_error.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <tuple>
#include <utility>

#include "sim/base/text.h"

namespace ftlab::config {

namespace {

constexpr std::size_t kMaxListed = 200;  // chosen: more than anybody reads, small enough for any terminal

std::vector<Problem> in_order(std::vector<Problem> problems) {
    std::map<std::string, std::size_t, std::less<>> first_seen;
    for (const Problem& problem : problems) {
        first_seen.emplace(problem.place.file, first_seen.size());
    }
    const auto key = [&first_seen](const Problem& problem) {
        return std::tuple{first_seen.at(problem.place.file), problem.place.line, problem.place.column};
    };
    std::stable_sort(problems.begin(), problems.end(),
                     [&key](const Problem& a, const Problem& b) { return key(a) < key(b); });
    return problems;
}

std::string listing(const std::vector<Problem>& problems) {
    std::string lines;
    for (std::size_t i = 0; i < std::min(problems.size(), kMaxListed); ++i) {
        lines += (i == 0 ? "" : "\n") + to_string(problems[i]);
    }
    if (problems.size() > kMaxListed) {
        lines += "\n... and " + std::to_string(problems.size() - kMaxListed) + " more problems";
    }
    return lines;
}

}  // namespace

std::string to_string(const Place& place) {
    return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::ostream& operator<<(std::ostream& out, const Place& place) { return out << to_string(place); }

std::string to_string(const Problem& problem) {
    return to_string(problem.place) + ": " + (problem.path.empty() ? "" : problem.path + ": ") + problem.sentence;
}

std::string key_path(std::string_view path, std::string_view key) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    const bool is_plain = !key.empty() && std::all_of(key.begin(), key.end(), plain);
    return std::string{path} + (path.empty() ? "" : ".") + (is_plain ? std::string{key} : text::quote(key));
}

std::string item_path(std::string_view path, std::size_t index) {
    return std::string{path} + "[" + std::to_string(index) + "]";
}

// The base is built from sorted problems as well, so the sorting runs twice; an error is not a hot path.
Error::Error(std::vector<Problem> problems)
    : std::runtime_error{listing(in_order(problems))}, problems_{in_order(std::move(problems))} {}

void throw_if_any(std::vector<Problem> problems) {
    if (!problems.empty()) {
        throw Error{std::move(problems)};
    }
}

}  // namespace ftlab::config
