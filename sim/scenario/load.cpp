// SPDX-License-Identifier: MIT
#include "sim/scenario/load.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/data_path.h"
#include "sim/base/text.h"
#include "sim/scenario/catalog.h"
#include "sim/scenario/cross_check.h"

namespace ftlab::scenario {

namespace fs = std::filesystem;
using config::Node;
using config::Place;
using config::Problem;

namespace {

constexpr std::string_view kDevicePrefix = "device.";

bool is_there(const fs::path& file) {
    std::error_code unreadable_is_not_there;
    return fs::exists(file, unreadable_is_not_there);
}

/// The --set options that speak of the device, or all others.
std::vector<config::Override> select(const std::vector<std::string>& all, bool of_device) {
    std::vector<config::Override> sets = config::overrides_of(all);
    std::erase_if(sets, [=](const config::Override& set) { return set.text.starts_with(kDevicePrefix) != of_device; });
    for (config::Override& set : sets) {
        set.begin = of_device ? kDevicePrefix.size() : 0;
    }
    return sets;
}

std::string not_found(const std::string& name, const std::string& kind, const std::string& command) {
    const std::vector<std::string> known = data_names(kind);
    const std::vector<std::string_view> names{known.begin(), known.end()};
    const std::string_view meant = text::nearest(name, names);
    return fmt::format("there is no file {} and none of that name comes with FTLab; {}", text::quote(name),
                       meant.empty() ? "`" + command + "` shows which do" : "did you mean " + text::quote(meant) + "?");
}

std::optional<std::string> find_device(const std::string& name, const std::string& beside) {
    const fs::path file = beside.empty() ? fs::path{name} : fs::path{beside}.parent_path() / name;
    // A folder that happens to have the name of a device is not meant.
    if (is_there(file) && (!fs::is_directory(file) || name.find('/') != std::string::npos)) {
        return file.lexically_normal().string();
    }
    if (const auto found = find_data("configs/devices", name)) {
        return found->string();
    }
    return std::nullopt;
}

/// The capacity that the parameters ask for.  Problems come as "key: sentence".
std::uint32_t capacity_of(const device::DeviceParams& params,
                          const Node& tree,
                          const Place& otherwise,
                          std::vector<Problem>& problems) {
    std::vector<std::string> found;
    const std::uint32_t sectors = device::user_sectors(params, found);
    for (const std::string& each : found) {
        const std::size_t colon = each.find(": ");
        const std::string key = each.substr(0, colon);
        const Node* node = tree.find(key);
        problems.push_back({node != nullptr ? node->place() : otherwise, key, each.substr(colon + 2)});
    }
    return sectors;
}

}  // namespace

Bytes Scenario::used() const {
    const auto sectors = static_cast<double>(device.user_sectors);
    return kSectorSize * static_cast<std::uint64_t>(std::floor(sectors * (1.0 - params.unused.value)));
}

Device load_device(const std::string& name,
                   const std::string& beside,
                   const Place& wanted_at,
                   const Options& options,
                   const Catalog& catalog,
                   std::vector<Problem>& problems) {
    Device device;
    const auto file = find_device(name, beside);
    if (!file) {
        problems.push_back({wanted_at, "device", not_found(name, "configs/devices", "ftlab list devices")});
        return device;
    }
    device.file = *file;
    std::vector<Problem> found;
    const auto tree = config::compose_file(device.file, select(options.sets, true), found);
    if (tree) {
        device.params = config::read<device::DeviceParams>(*tree, found, {.catalog = &catalog});
        if (found.empty()) {
            if (options.over_provisioning) {
                device.params.over_provisioning = options.over_provisioning;
            }
            const Place place =
                options.over_provisioning ? Place{"--over-provisioning", 1, 1} : Place{device.file, 1, 1};
            device.user_sectors = capacity_of(device.params, *tree, place, found);
        }
    }
    for (Problem& problem : found) {
        if (problem.place.file == "--set" && !problem.path.empty()) {
            problem.path.insert(0, kDevicePrefix);  // as the user has written it
        }
    }
    std::move(found.begin(), found.end(), std::back_inserter(problems));
    return device;
}

Scenario load_scenario(const std::string& name, const Options& options, const Catalog& catalog) {
    Scenario scenario;
    std::vector<Problem> problems;
    if (is_there(name)) {
        scenario.file = name;
    } else if (const auto found = find_data("scenarios", name)) {
        scenario.file = found->string();
    } else {
        problems.push_back({{name, 1, 1}, "", not_found(name, "scenarios", "ftlab list scenarios")});
        config::throw_if_any(std::move(problems));
    }
    const auto tree = config::compose_file(scenario.file, select(options.sets, false), problems);
    if (tree) {
        scenario.params = config::read<ScenarioParams>(*tree, problems, {.catalog = &catalog});
    }
    if (!tree) {
        config::throw_if_any(std::move(problems));
        return scenario;
    }

    ScenarioParams& params = scenario.params;
    const Node* named_at = tree->find("device");
    const std::string named = params.device;
    params.device = options.device.value_or(params.device);
    params.seed = options.seed.value_or(params.seed);
    params.unused = options.unused.value_or(params.unused);
    if (options.over_provisioning) {
        params.over_provisioning = options.over_provisioning;
    }
    if (params.device.empty()) {
        problems.push_back({tree->place(), "device", "is missing; write a device's name or give --device"});
    } else {
        Options for_device = options;
        for_device.over_provisioning = params.over_provisioning;
        const bool by_file = !options.device && named_at != nullptr && named_at->place().file != "--set";
        const Place place = options.device || named_at == nullptr ? Place{"--device", 1, 1} : named_at->place();
        scenario.device =
            load_device(params.device, by_file ? named_at->place().file : "", place, for_device, catalog, problems);
    }
    if (problems.empty()) {
        scenario.names = phase_names(params);
        cross_check(scenario, *tree, problems);
    }
    config::throw_if_any(std::move(problems));
    return scenario;
}

Checked check_file(const std::string& file, const Catalog& catalog) {
    Checked checked{"file", {}};
    const auto tree = config::compose_file(file, {}, checked.problems);
    if (!tree) {
        return checked;
    }
    const auto& entries = tree->entries();
    const auto is_part = [](const Node::Entry& entry) { return entry.key == "nand"; };
    if (tree->find("phases") != nullptr || tree->find("device") != nullptr) {
        checked.kind = "scenario";
        try {
            static_cast<void>(load_scenario(file, {}, catalog));
        } catch (const config::Error& error) {
            checked.problems = error.problems();
        }
    } else if (!entries.empty() && std::all_of(entries.begin(), entries.end(), is_part)) {
        checked.kind = "part of a device";
        static_cast<void>(config::read<device::DeviceParams>(*tree, checked.problems, {.catalog = &catalog}));
    } else {
        checked.kind = "device";
        checked.problems.clear();  // they come again
        static_cast<void>(load_device(file, "", {file, 1, 1}, {}, catalog, checked.problems));
    }
    return checked;
}

}  // namespace ftlab::scenario
