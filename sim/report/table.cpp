// SPDX-License-Identifier: MIT
#include "sim/report/table.h"

#include <algorithm>

namespace ftlab::report {

namespace {
/// Characters, not bytes.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}
}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& left) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c) {
            widths[c] = std::max(widths[c], width(row[c]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string gap(widths[c] - width(row[c]), ' ');
            const bool to_left = std::find(left.begin(), left.end(), c) != left.end();
            line += (c == 0 ? "" : "  ") + (to_left ? row[c] + gap : gap + row[c]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

}  // namespace ftlab::report
