// SPDX-License-Identifier: MIT
#include "sim/workload/trace/error.h"

#include <utility>

#include <fmt/format.h>

namespace ftlab::workload {

namespace {
std::string text_of(std::string_view file, std::uint64_t line, std::uint64_t column, std::string_view sentence) {
    std::string text{file};
    for (const std::uint64_t number : {line, column}) {
        if (number != 0) {
            text += fmt::format(":{}", number);
        }
    }
    return text.append(": ").append(sentence);
}
}  // namespace

TraceError::TraceError(std::string file, std::uint64_t line, std::uint64_t column, std::string sentence)
    : std::runtime_error{text_of(file, line, column, sentence)},
      file_{std::move(file)},
      line_{line},
      column_{column},
      sentence_{std::move(sentence)} {}

std::string quoted(std::string_view text) {
    constexpr std::size_t kShown = 40;
    std::string shown;
    for (const char c : text.substr(0, kShown)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7f) {
            shown += fmt::format("\\x{:02x}", byte);
        } else {
            shown += c;
        }
    }
    return fmt::format("'{}{}'", shown, text.size() > kShown ? "..." : "");
}

}  // namespace ftlab::workload
