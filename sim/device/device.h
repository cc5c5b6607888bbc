// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/ssd.h"
#include "ftl/ftl.h"
#include "nand/array.h"
#include "nand/timing.h"
#include "sim/base/config.h"
#include "sim/base/random.h"
#include "sim/device/spare.h"

namespace ftlab::device {

/// The flash package of a drive.
struct NandParams {
    nand::Geometry geometry;
    nand::CellParams cell;
    nand::BusParams bus;

    static void describe(config::Fields<NandParams>& f);
};

/// What the operating system's driver adds to each command.
struct HostProfile {
    Duration submit{2'500'000};
    Duration complete{6'000'000};

    static void describe(config::Fields<HostProfile>& f);
};

/// A whole drive, as its file in configs/devices/ describes it.
struct DeviceParams {
    std::string description;
    std::optional<std::uint64_t> user_lbas;
    std::optional<Bytes> user_capacity;
    std::optional<Ratio> over_provisioning;
    NandParams nand;
    ftl::FtlParams ftl;
    controller::ControllerParams controller;
    HostProfile host;

    static void describe(config::Fields<DeviceParams>& f);
};

/// The user capacity in 4 KiB sectors that the parameters ask for: user_lbas, user_capacity or over_provisioning.
/// A contradiction with the geometry (or among the three) is one of the `problems`; the result is then 0.
[[nodiscard]] std::uint32_t user_sectors(const DeviceParams& params, std::vector<std::string>& problems);

[[nodiscard]] Spare spare_of(const DeviceParams& params, std::uint32_t user_sectors);

/// The drive itself without a clock: the flash and the FTL on it.  Bare and timed phases work on the same Drive.
class Drive {
public:
    Drive(const DeviceParams& params, std::uint32_t user_sectors, const RandomStreams& random);

    [[nodiscard]] ftl::Ftl& ftl() { return ftl_; }
    [[nodiscard]] const ftl::Ftl& ftl() const { return ftl_; }
    [[nodiscard]] const nand::Timing& timing() const { return timing_; }
    [[nodiscard]] const DeviceParams& params() const { return params_; }
    [[nodiscard]] std::uint64_t user_lbas() const { return std::uint64_t{ftl_.user_sectors()} * kLbasPerSector; }

private:
    DeviceParams params_;
    nand::Array array_;
    nand::Timing timing_;
    ftl::Ftl ftl_;
};

}  // namespace ftlab::device
