// SPDX-License-Identifier: MIT
#include "tests/layering/layering.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <regex>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace ftlab::layering {

namespace fs = std::filesystem;

namespace {

using Folders = std::vector<std::string_view>;

struct Layer {
    std::string_view folder;
    Folders may_include;  ///< besides itself
};

/// The diagram of the architecture, from the bottom up.
const std::array kLayers{
    Layer{"sim/base", {}},
    Layer{"nand", {"sim/base"}},
    Layer{"ftl", {"sim/base", "nand"}},
    Layer{"controller", {"sim/base", "nand", "ftl"}},
    Layer{"sim/workload", {"sim/base"}},
    Layer{"sim/analysis", {"sim/base"}},
    Layer{"sim/host", {"sim", "nand", "ftl", "controller"}},
    Layer{"sim/device", {"sim", "nand", "ftl", "controller"}},
    Layer{"sim/scenario", {"sim", "nand", "ftl", "controller"}},
    Layer{"sim/report", {"sim", "nand", "ftl", "controller"}},
    Layer{"sim/app", {"sim", "nand", "ftl", "controller"}},
    Layer{"tests", {"sim", "nand", "ftl", "controller"}},
};

/// Foreign headers that only some layers may know (every test may).
struct Library {
    std::string_view name;
    std::string_view header;  ///< a regular expression for the name between the brackets
    Folders only_in;          ///< folders, or the beginning of a file name
};

const std::array kLibraries{
    Library{"SystemC", "systemc.*|sysc/.*|tlm.*", {"controller", "sim/host", "sim/device"}},
    Library{"Boost", "boost/.*", {"sim/analysis"}},
    Library{"Eigen", "Eigen/.*|unsupported/Eigen/.*", {"sim/analysis", "controller/thermal"}},
    Library{"CLI11", "CLI/.*", {"sim/app"}},
    Library{"yaml-cpp", "yaml-cpp/.*", {"sim/base"}},
    Library{"Catch2", "catch2/.*", {}},
};

/// Answers to a policy question: built by name through the catalogue, so nobody needs their declaration.
constexpr std::array<std::string_view, 2> kPolicyFamilies{"ftl/gc/victim_", "ftl/gc/trigger_"};

/// Written into the build tree by CMake.
constexpr std::string_view kGenerated = "ftlab_version.h";

bool is_in(std::string_view file, std::string_view folder) {
    return file.starts_with(folder) && file.substr(folder.size()).starts_with('/');
}

bool is_in_any(std::string_view file, std::span<const std::string_view> places) {
    return std::any_of(places.begin(), places.end(),
                       [&](std::string_view place) { return is_in(file, place) || file.starts_with(place); });
}

const Layer* layer_of(std::string_view file) {
    const auto* layer =
        std::find_if(kLayers.begin(), kLayers.end(), [&](const Layer& l) { return is_in(file, l.folder); });
    return layer == kLayers.end() ? nullptr : layer;
}

bool may_include(const Layer& layer, std::string_view target) {
    if (is_in(target, layer.folder)) {
        return true;
    }
    if (is_in(target, "sim/app")) {  // the top: nobody builds on it
        return layer.folder == "tests";
    }
    return std::any_of(layer.may_include.begin(), layer.may_include.end(),
                       [&](std::string_view folder) { return is_in(target, folder); });
}

std::optional<std::string> wrong_with_own_header(const fs::path& root, const Layer& layer, const std::string& target) {
    if (target == kGenerated) {
        return std::nullopt;
    }
    if (target.ends_with(".cpp")) {
        return fmt::format("includes {}: an implementation is nobody's interface", target);
    }
    if (layer_of(target) == nullptr || !fs::is_regular_file(root / target)) {
        return fmt::format("includes \"{}\", which is no header of a layer (paths start at the root)", target);
    }
    if (!may_include(layer, target)) {
        return fmt::format("{} may not include {}", layer.folder, target);
    }
    return std::nullopt;
}

std::optional<std::string> wrong_with_foreign_header(std::string_view file, const std::string& header) {
    for (const Library& library : kLibraries) {
        if (std::regex_match(header, std::regex{library.header.begin(), library.header.end()}) &&
            !is_in(file, "tests") && !is_in_any(file, library.only_in)) {
            return fmt::format("<{}> of {} is not for this layer", header, library.name);
        }
    }
    return std::nullopt;
}

void check_file(const fs::path& root, const std::string& file, std::vector<std::pair<int, std::string>>& found) {
    const Layer* layer = layer_of(file);
    if (layer == nullptr) {
        found.emplace_back(1, "lies in no layer");
        return;
    }
    const bool is_header = file.ends_with(".h");
    if (is_header && is_in_any(file, kPolicyFamilies)) {
        found.emplace_back(1, "a policy's implementation has no header: it is built by its name");
    }

    static const std::regex include{R"re(\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>).*)re"};
    std::ifstream text{root / file};
    bool once = false;
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        if (number == 1 && line != "// SPDX-License-Identifier: MIT") {
            found.emplace_back(1, "does not begin with // SPDX-License-Identifier: MIT");
        }
        once = once || line == "#pragma once";
        std::smatch match;
        if (!std::regex_match(line, match, include)) {
            continue;
        }
        const auto wrong = match[1].matched ? wrong_with_own_header(root, *layer, match[1].str())
                                            : wrong_with_foreign_header(file, match[2].str());
        if (wrong) {
            found.emplace_back(number, *wrong);
        }
    }
    if (number == 0) {
        found.emplace_back(1, "is empty");
    } else if (is_header && !once) {
        found.emplace_back(1, "has no #pragma once");
    }
}

}  // namespace

std::vector<Violation> violations(const fs::path& root) {
    std::vector<std::string> files;
    for (const char* top : {"sim", "nand", "ftl", "controller", "tests"}) {
        if (!fs::is_directory(root / top)) {
            continue;
        }
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator{root / top}) {
            const std::string extension = entry.path().extension();
            if (extension == ".h" || extension == ".cpp") {
                files.push_back(entry.path().lexically_relative(root).generic_string());
            }
        }
    }
    std::sort(files.begin(), files.end());

    std::vector<Violation> all;
    for (const std::string& file : files) {
        std::vector<std::pair<int, std::string>> found;
        check_file(root, file, found);
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [line, sentence] : found) {
            all.push_back(fmt::format("{}:{}: {}", file, line, sentence));
        }
    }
    return all;
}

}  // namespace ftlab::layering
