// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <catch2/catch.hpp>

namespace ftlab::testing {

/// A file that is not part of the repository: in `shared/` beside the checkout, or where the environment variable
/// FTLAB_SHARED says.  Warns and returns nothing where it is absent.
inline std::optional<std::string> shared_file(const std::string& name) {
    namespace fs = std::filesystem;
    const char* set = std::getenv("FTLAB_SHARED");
    const fs::path folder = set != nullptr ? fs::path{set} : fs::path{FTLAB_TEST_SOURCE_DIR}.parent_path() / "shared";
    const fs::path file = folder / name;
    if (!fs::is_regular_file(file)) {
        WARN("skipped: " << file.string() << " is not there; set FTLAB_SHARED to the folder that holds it");
        return std::nullopt;
    }
    return file.string();
}

}  // namespace ftlab::testing
