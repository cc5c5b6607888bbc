// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <systemc>
#include <tlm>

#include <tlm_utils/simple_target_socket.h>

#include "controller/dram/dram.h"
#include "controller/firmware/firmware.h"
#include "controller/flash/flash_controller.h"
#include "controller/host/ahci.h"
#include "controller/link/sata_link.h"
#include "controller/scheduler.h"
#include "ftl/ftl.h"
#include "nand/timing.h"

namespace ftlab::controller {

/// What the controller is made of, in times and counts.
struct ControllerParams {
    SataParams sata;
    FirmwareParams firmware;
    DramParams dram;
    FlashParams flash;

    static void describe(config::Fields<ControllerParams>& f);
};

/// The drive as a SystemC module: one TLM-2.0 target socket towards the host, everything else inside.
///
/// Protocol: non-blocking transport; the host sends BEGIN_REQ with a payload that carries a CommandExtension, and gets
/// BEGIN_RESP when the command has ended.  Delays are not annotated: the model's clock is scheduler.now().
class Ssd final : public sc_core::sc_module, private HostResponder {
public:
    Ssd(const sc_core::sc_module_name& name,
        Scheduler& scheduler,
        const nand::Geometry& geometry,
        const nand::Timing& timing,
        const ControllerParams& params,
        ftl::Ftl& ftl);

    tlm_utils::simple_target_socket<Ssd> socket{"socket"};

    [[nodiscard]] const SataLink& link() const { return link_; }
    [[nodiscard]] const Firmware& firmware() const { return firmware_; }
    [[nodiscard]] const Dram& dram() const { return dram_; }
    [[nodiscard]] const FlashController& flash() const { return flash_; }
    [[nodiscard]] std::uint32_t outstanding() const { return ahci_.outstanding(); }
    /// The FTL's executor, for whoever holds and releases it.
    [[nodiscard]] ftl::Executor& executor() { return flash_; }

private:
    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void respond(HostCommand& command) override;

    SataLink link_;
    Firmware firmware_;
    Dram dram_;
    FlashController flash_;
    Ahci ahci_;
    std::array<tlm::tlm_generic_payload*, Ahci::kTags> payloads_{};
};

}  // namespace ftlab::controller
