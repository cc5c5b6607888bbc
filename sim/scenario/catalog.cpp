// SPDX-License-Identifier: MIT
#include "sim/scenario/catalog.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "ftl/builtin.h"
#include "sim/base/data_path.h"
#include "sim/workload/pattern.h"

namespace ftlab::scenario {

namespace fs = std::filesystem;

std::unique_ptr<Catalog> builtin_catalog() {
    auto catalog = std::make_unique<Catalog>();
    ftl::add_builtin_policies(*catalog);
    workload::add_builtin_patterns(*catalog);
    return catalog;
}

std::vector<std::string> data_names(const std::string& kind) {
    std::vector<std::string> names;
    for (const fs::path& root : data_roots()) {
        std::error_code none_there;
        for (const fs::directory_entry& entry : fs::directory_iterator{root / kind, none_there}) {
            if (entry.path().extension() == ".yaml") {
                names.push_back(entry.path().stem().string());
            }
        }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace ftlab::scenario
