// SPDX-License-Identifier: MIT
#include "controller/firmware/firmware.h"

#include <optional>

namespace ftlab::controller {

using namespace literals;

void FirmwareParams::describe(config::Fields<FirmwareParams>& f) {
    f("cores", &FirmwareParams::cores, "processor cores that run firmware").range(1, 8);
    f("front_core", &FirmwareParams::front_core, "core that serves host commands").at_most(7);
    f("back_core", &FirmwareParams::back_core, "core that builds program units of host and GC data").at_most(7);
    f("read_command", &FirmwareParams::read_command, "occupancy of the front core by a read").at_most(1_s);
    f("write_command", &FirmwareParams::write_command, "occupancy of the front core by a write").at_most(1_s);
    f("other_command", &FirmwareParams::other_command, "occupancy of the front core by a trim or a flush").at_most(1_s);
    f("extra_read_sector", &FirmwareParams::extra_read_sector, "added for each further 4 KiB sector of a read")
        .at_most(1_s);
    f("extra_write_sector", &FirmwareParams::extra_write_sector, "added for each further 4 KiB sector of a write")
        .at_most(1_s);
    f("program_sector", &FirmwareParams::program_sector,
      "occupancy of the back core by each 4 KiB host sector of a program unit")
        .at_most(1_s);
    f("move_sector", &FirmwareParams::move_sector, "occupancy of the back core by each 4 KiB sector that GC moves")
        .at_most(1_s);
    f("decode_latency", &FirmwareParams::decode_latency, "delay of a command after decoding that occupies no core")
        .at_most(1_s);
    f("completion_latency", &FirmwareParams::completion_latency, "delay before the status that occupies no core")
        .at_most(1_s);
    f.check([](const FirmwareParams& p) -> std::optional<config::Complaint> {
        if (p.front_core >= p.cores) {
            return config::Complaint{{"front_core", "cores"}, "there is no such core; cores are numbered from 0"};
        }
        return std::nullopt;
    });
    f.check([](const FirmwareParams& p) -> std::optional<config::Complaint> {
        if (p.back_core >= p.cores) {
            return config::Complaint{{"back_core", "cores"}, "there is no such core; cores are numbered from 0"};
        }
        return std::nullopt;
    });
}

Firmware::Firmware(const sc_core::sc_module_name& name, const FirmwareParams& params)
    : sc_core::sc_module{name}, params_{params} {}

}  // namespace ftlab::controller
