// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace ftlab {

/// What decides where FTLab's own configs and scenarios are.
struct DataPlaces {
    std::filesystem::path home;        ///< $FTLAB_HOME; empty if not set
    std::filesystem::path program;     ///< the running executable
    std::filesystem::path build_tree;  ///< where this program was built ...
    std::filesystem::path source;      ///< ... and from which sources
};

/// The places of the running program.
DataPlaces data_places();

/// Folders that hold `configs/` and `scenarios/`, best first: the user's choice; then, for a program that still lies in
/// its build tree, the sources it was built from; otherwise what was installed beside it (`<bin>/../share/ftlab`).
std::vector<std::filesystem::path> data_roots(const DataPlaces& places = data_places());

/// The file `name`, or `name`.yaml, in folder `kind` ("scenarios", "configs/devices") of the first root that has it.
/// Only files of FTLab: a name that is absolute or climbs out with ".." is not found.
std::optional<std::filesystem::path> find_data(std::string_view kind,
                                               std::string_view name,
                                               const std::vector<std::filesystem::path>& roots = data_roots());

}  // namespace ftlab
