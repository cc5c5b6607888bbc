// SPDX-License-Identifier: MIT
#include "controller/flash/flash_controller.h"

#include <fmt/format.h>

namespace ftlab::controller {

FlashController::FlashController(const sc_core::sc_module_name& name,
                                 Scheduler& scheduler,
                                 Firmware& firmware,
                                 const nand::Geometry& geometry,
                                 const nand::Timing& timing,
                                 const FlashParams& params,
                                 ftl::Ftl& ftl)
    : sc_core::sc_module{name},
      scheduler_{scheduler},
      firmware_{firmware},
      ftl_{ftl},
      params_{params},
      channel_count_{geometry.channels},
      sink_{scheduler.attach(*this)},
      programs_(geometry.dies()) {
    for (std::uint32_t c = 0; c < geometry.channels; ++c) {
        channels_.emplace_back(fmt::format("channel{}", c).c_str(), scheduler, timing, params,
                               geometry.dies_per_channel, flights_, static_cast<FlashDoneInterface&>(*this));
    }
}

bool FlashController::room(ftl::Origin /*payer*/, nand::DieId die) const {
    return jobs_ == 0 && programs_[die.index()] < params_.programs_per_die;
}

void FlashController::submit(std::uint32_t flight) {
    const std::uint32_t die = flights_[flight].op.die.value;
    channels_[die % channel_count_].submit(die / channel_count_, flight);
}

void FlashController::issue(const ftl::FlashOp& op) {
    flights_.enter(op);
    ++in_flight_;
    if (op.kind != ftl::OpKind::program) {
        submit(op.id.value);
        return;
    }
    ++jobs_;
    ++programs_[op.die.index()];
    const Time built = firmware_.build_program(scheduler_.now(), op.payer == ftl::Origin::gc, op.sectors);
    scheduler_.post(built, sink_, program_built, op.id.value);
}

void FlashController::on_event(std::uint32_t /*what*/, std::uint32_t data) {
    --jobs_;
    submit(data);
    ftl_.resume(*this);
    client_->progressed();
}

void FlashController::flash_done(std::uint32_t flight) {
    const Flight done = flights_[flight];  // a copy: complete() may issue an operation under the same id
    --in_flight_;
    if (done.op.kind == ftl::OpKind::program) {
        --programs_[done.op.die.index()];
    }
    completing_ = &done;
    ftl_.complete(done.op.id, ftl::Outcome::ok, *this);
    completing_ = nullptr;
    client_->progressed();
}

void FlashController::finished(CommandId command, ftl::Outcome /*outcome*/) { client_->finished(command, completing_); }

Time FlashController::bus_busy() const {
    Time sum{0};
    for (const FlashChannel& c : channels_) {
        sum += c.bus_busy();
    }
    return sum;
}

Time FlashController::array_busy() const {
    Time sum{0};
    for (const FlashChannel& c : channels_) {
        sum += c.array_busy();
    }
    return sum;
}

}  // namespace ftlab::controller
