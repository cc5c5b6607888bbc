// SPDX-License-Identifier: MIT
#include "sim/device/device.h"

#include <fmt/format.h>

namespace ftlab::device {

using namespace literals;

void NandParams::describe(config::Fields<NandParams>& f) {
    f("geometry", &NandParams::geometry, "how many channels, dies, planes, blocks and pages");
    f("cell", &NandParams::cell, "times of the cell array");
    f("bus", &NandParams::bus, "times of the channel");
}

void HostProfile::describe(config::Fields<HostProfile>& f) {
    f("submit", &HostProfile::submit, "driver time before a command reaches the drive").at_most(1_s);
    f("complete", &HostProfile::complete, "interrupt and driver time before the host issues the next command")
        .at_most(1_s);
}

void DeviceParams::describe(config::Fields<DeviceParams>& f) {
    f("description", &DeviceParams::description, "what drive this is, in a few words");
    f("user_lbas", &DeviceParams::user_lbas, "user capacity as the drive reports it, in 512 B LBAs").at_least(8);
    f("user_capacity", &DeviceParams::user_capacity, "user capacity, a multiple of 4 KiB").at_least(Bytes{4096});
    f("over_provisioning", &DeviceParams::over_provisioning,
      "nominal flash capacity / user capacity - 1; decides the user capacity instead of user_lbas or user_capacity")
        .range(Ratio{0.0}, Ratio{100.0});
    f("nand", &DeviceParams::nand, "the flash");
    f("ftl", &DeviceParams::ftl, "the flash translation layer");
    f("controller", &DeviceParams::controller, "link, firmware, DRAM and flash scheduling");
    f("host", &DeviceParams::host, "the host's driver");
    f.check([](const DeviceParams& p) -> std::optional<config::Complaint> {
        const std::uint64_t unit = p.nand.geometry.sectors_per_unit();
        if (p.ftl.write_buffer.size / kSectorSize < unit) {
            return config::Complaint{
                {"ftl.write_buffer.size", "nand.geometry.planes", "nand.geometry.page_size"},
                fmt::format("the write buffer must hold one program unit; write \"{} KiB\" or more", unit * 4)};
        }
        return std::nullopt;
    });
    f.check([](const DeviceParams& p) -> std::optional<config::Complaint> {
        if (p.nand.geometry.dies() > 4096) {
            return config::Complaint{{"nand.geometry.channels", "nand.geometry.dies_per_channel"},
                                     "more than 4096 dies; lower one of the two"};
        }
        return std::nullopt;
    });
    f.check([](const DeviceParams& p) -> std::optional<config::Complaint> {
        const nand::Geometry& g = p.nand.geometry;
        std::uint64_t span = 1;
        while (span < std::uint64_t{g.sectors_per_block()} * g.lanes()) {
            span *= 2;
        }
        if (span * g.nominal_blocks_per_plane >= 0xffffffffULL) {
            return config::Complaint{{"nand.geometry.nominal_blocks_per_plane", "nand.geometry.pages_per_block"},
                                     "the flash is larger than 32-bit sector addresses reach (16 TiB, less where a "
                                     "superblock is no power of two); make it smaller"};
        }
        return std::nullopt;
    });
}

std::uint32_t user_sectors(const DeviceParams& params, std::vector<std::string>& problems) {
    const nand::Geometry& g = params.nand.geometry;
    const Bytes raw = g.nominal_capacity();
    const int given = (params.user_lbas.has_value() ? 1 : 0) + (params.user_capacity.has_value() ? 1 : 0);
    if (given == 0 && !params.over_provisioning.has_value()) {
        problems.emplace_back(
            "user_lbas: the user capacity is missing; give user_lbas, user_capacity or over_provisioning");
        return 0;
    }
    if (given == 2 && kLbaSize * *params.user_lbas != *params.user_capacity) {
        problems.emplace_back(
            fmt::format("user_capacity: contradicts user_lbas ({} LBAs are {} B); give one of the two",
                        *params.user_lbas, (kLbaSize * *params.user_lbas).count));
        return 0;
    }
    Bytes user{0};
    if (params.over_provisioning.has_value()) {
        // What the user asks for decides; rounded down to whole sectors.
        user.count =
            static_cast<std::uint64_t>(static_cast<double>(raw.count) / (1.0 + params.over_provisioning->value));
        user = user - user % kSectorSize;
    } else {
        user = params.user_lbas.has_value() ? kLbaSize * *params.user_lbas : *params.user_capacity;
    }
    if (user % kSectorSize != Bytes{0}) {
        problems.emplace_back("user_lbas: the user capacity must be a multiple of 4 KiB (8 LBAs), the unit of mapping");
        return 0;
    }
    const std::uint64_t sectors = user / kSectorSize;
    const std::uint64_t per_superblock = std::uint64_t{g.sectors_per_block()} * g.lanes();
    const std::uint64_t usable = g.nominal_blocks_per_plane > params.ftl.held_back_superblocks
                                     ? g.nominal_blocks_per_plane - params.ftl.held_back_superblocks
                                     : 0;
    const std::uint64_t needed =
        (sectors + per_superblock - 1) / per_superblock + ftl::kOpenSuperblocks + params.ftl.gc.reserve + 1;
    if (sectors == 0 || needed > usable) {
        const std::uint64_t fixed = ftl::kOpenSuperblocks + params.ftl.gc.reserve + 1;
        const std::uint64_t most = usable > fixed ? (usable - fixed) * per_superblock : 0;
        const double least_op =
            most == 0 ? 0.0 : static_cast<double>(raw.count) / (static_cast<double>(most) * 4096.0) - 1.0;
        problems.emplace_back(
            fmt::format("{}: a user capacity of {} B does not fit the geometry: it takes {} superblocks of {} MiB ({} "
                        "for data, 2 open, "
                        "{} in reserve, 1 to collect) and {} are usable; at most {} LBAs fit (over_provisioning of "
                        "{:.2f}% or more)",
                        params.over_provisioning.has_value() ? "over_provisioning"
                        : params.user_lbas.has_value()       ? "user_lbas"
                                                             : "user_capacity",
                        user.count, needed, per_superblock / 256, needed - fixed, params.ftl.gc.reserve, usable,
                        most * kLbasPerSector, least_op * 100.0));
        return 0;
    }
    return static_cast<std::uint32_t>(sectors);
}

Spare spare_of(const DeviceParams& params, std::uint32_t user_sectors) {
    const nand::Geometry& g = params.nand.geometry;
    Spare s;
    s.user = kSectorSize * user_sectors;
    s.raw = g.nominal_capacity();
    s.usable =
        g.page_size * g.pages_per_block * g.lanes() * (g.nominal_blocks_per_plane - params.ftl.held_back_superblocks);
    s.over_provisioning = static_cast<double>(s.raw.count) / static_cast<double>(s.user.count) - 1.0;
    s.spare_factor = 1.0 - static_cast<double>(s.user.count) / static_cast<double>(s.usable.count);
    return s;
}

Drive::Drive(const DeviceParams& params, std::uint32_t user_sectors, const RandomStreams& random)
    : params_{params},
      array_{params.nand.geometry, random},
      timing_{params.nand.geometry, params.nand.cell, params.nand.bus},
      ftl_{array_, params.ftl, user_sectors, random} {}

}  // namespace ftlab::device
