// SPDX-License-Identifier: MIT
#include "sim/base/data_path.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

namespace ftlab {

namespace fs = std::filesystem;

namespace {

bool is_inside(const fs::path& file, const fs::path& folder) {
    const fs::path inner = fs::weakly_canonical(file);
    const fs::path outer = fs::weakly_canonical(folder);
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

bool is_file(const fs::path& path) {
    std::error_code unreadable_is_not_found;
    return fs::is_regular_file(path, unreadable_is_not_found);
}

}  // namespace

DataPlaces data_places() {
    const char* home = std::getenv("FTLAB_HOME");
    std::error_code no_proc;
    return {.home = home == nullptr ? "" : home,
            .program = fs::read_symlink("/proc/self/exe", no_proc),
            .build_tree = FTLAB_BUILD_TREE,
            .source = FTLAB_SOURCE_TREE};
}

std::vector<fs::path> data_roots(const DataPlaces& places) {
    std::vector<fs::path> roots;
    if (!places.home.empty()) {
        roots.push_back(places.home);
    }
    std::error_code unreadable_is_gone;
    if (is_inside(places.program, places.build_tree) && fs::is_directory(places.source, unreadable_is_gone)) {
        roots.push_back(places.source);
    } else if (places.program.has_parent_path()) {
        roots.push_back(places.program.parent_path().parent_path() / "share" / "ftlab");
    }
    return roots;
}

std::optional<fs::path> find_data(std::string_view kind, std::string_view name, const std::vector<fs::path>& roots) {
    const fs::path relative = fs::path{name}.lexically_normal();
    if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") {
        return std::nullopt;
    }
    for (const fs::path& root : roots) {
        const fs::path file = root / kind / relative;
        if (is_file(file)) {
            return file;
        }
        fs::path with_suffix = file;
        with_suffix += ".yaml";
        if (is_file(with_suffix)) {
            return with_suffix;
        }
    }
    return std::nullopt;
}

}  // namespace ftlab
