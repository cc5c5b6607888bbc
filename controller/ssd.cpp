// SPDX-License-Identifier: MIT
#include "controller/ssd.h"

#include "sim/base/check.h"

namespace ftlab::controller {

void ControllerParams::describe(config::Fields<ControllerParams>& f) {
    f("sata", &ControllerParams::sata, "the SATA link to the host");
    f("firmware", &ControllerParams::firmware, "what firmware tasks cost, and on which core they run");
    f("dram", &ControllerParams::dram, "the drive's DRAM");
    f("flash", &ControllerParams::flash, "how the controller schedules channels and dies");
}

Ssd::Ssd(const sc_core::sc_module_name& name,
         Scheduler& scheduler,
         const nand::Geometry& geometry,
         const nand::Timing& timing,
         const ControllerParams& params,
         ftl::Ftl& ftl)
    : sc_core::sc_module{name},
      link_{"link", params.sata},
      firmware_{"firmware", params.firmware},
      dram_{"dram", params.dram},
      flash_{"flash", scheduler, firmware_, geometry, timing, params.flash, ftl},
      ahci_{"ahci", {scheduler, link_, firmware_, dram_, flash_, ftl}} {
    socket.register_nb_transport_fw(this, &Ssd::transport);
    ahci_.answer_to(*this);
}

tlm::tlm_sync_enum Ssd::transport(tlm::tlm_generic_payload& payload,
                                  tlm::tlm_phase& phase,
                                  sc_core::sc_time& /*delay*/) {
    FTLAB_CHECK(phase == tlm::BEGIN_REQ, "the host begins a request");
    const CommandExtension* extension = payload.get_extension<CommandExtension>();
    FTLAB_CHECK(extension != nullptr && extension->command != nullptr, "the payload carries a host command");
    HostCommand& command = *extension->command;
    payloads_[command.tag.index()] = &payload;
    ahci_.begin(command);
    return tlm::TLM_ACCEPTED;
}

void Ssd::respond(HostCommand& command) {
    tlm::tlm_generic_payload* payload = payloads_[command.tag.index()];
    payload->set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(*payload, phase, delay);
}

}  // namespace ftlab::controller
