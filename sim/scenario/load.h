// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/catalog.h"
#include "sim/base/config.h"
#include "sim/device/device.h"
#include "sim/scenario/params.h"

namespace ftlab::scenario {

/// What the command line says about an experiment.
struct Options {
    std::optional<std::string> device;
    std::vector<std::string> sets;  ///< path=value; `device.` in front of a path speaks of the device
    std::optional<std::uint64_t> seed;
    std::optional<Ratio> unused;
    std::optional<Ratio> over_provisioning;
};

/// A drive as read and checked.
struct Device {
    std::string file;
    device::DeviceParams params;
    std::uint32_t user_sectors = 0;

    [[nodiscard]] Bytes capacity() const { return kSectorSize * user_sectors; }
};

/// An experiment as read and checked: nothing of it can be refused later.
struct Scenario {
    std::string file;
    ScenarioParams params;           ///< with the command line's word in it
    std::vector<std::string> names;  ///< of the phases, all different
    Device device;

    /// What the host sees of the drive, less the unused share: a multiple of 4 KiB.
    [[nodiscard]] Bytes used() const;
};

/// Reads a drive: `name` is a file, relative to `beside` where that is not empty, or one of FTLab's own.  What is wrong
/// is added to `problems`.
[[nodiscard]] Device load_device(const std::string& name,
                                 const std::string& beside,
                                 const config::Place& wanted_at,
                                 const Options& options,
                                 const Catalog& catalog,
                                 std::vector<config::Problem>& problems);

/// Reads a scenario and its drive: `name` is a file or one of FTLab's own.  Throws config::Error with all problems.
[[nodiscard]] Scenario load_scenario(const std::string& name, const Options& options, const Catalog& catalog);

/// Everything that is wrong with one YAML file, whose kind (scenario, drive, or part of a drive such as a flash
/// package) is told from its keys.  Returns that kind.
struct Checked {
    std::string kind;
    std::vector<config::Problem> problems;
};
[[nodiscard]] Checked check_file(const std::string& file, const Catalog& catalog);

}  // namespace ftlab::scenario
