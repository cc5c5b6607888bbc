// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <tlm>

#include "controller/stamps.h"
#include "sim/base/id.h"

namespace ftlab::controller {

enum class HostOp : std::uint8_t { read, write, trim, flush };

/// A host command on its way through the drive.  It belongs to whoever sends it and stays in place until the response.
struct HostCommand {
    HostOp op = HostOp::read;
    bool fua = false;
    std::uint64_t first = 0;  ///< LBA
    std::uint64_t count = 0;  ///< LBAs
    CommandId tag;            ///< unique among the commands in flight
    Stamps stamps;            ///< started by the sender; complete when the response arrives
};

/// Carries the command on a TLM-2.0 generic payload.  The payload's own address, length and command are set as well, so
/// that foreign monitors see ordinary transactions; its data pointer is null: the model moves no data.
struct CommandExtension final : tlm::tlm_extension<CommandExtension> {
    HostCommand* command = nullptr;

    [[nodiscard]] tlm::tlm_extension_base* clone() const override {
        auto* copy = new CommandExtension;
        copy->command = command;
        return copy;
    }
    void copy_from(const tlm::tlm_extension_base& other) override {
        command = static_cast<const CommandExtension&>(other).command;
    }
};

}  // namespace ftlab::controller
