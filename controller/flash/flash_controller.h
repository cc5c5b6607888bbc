// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "controller/firmware/firmware.h"
#include "controller/flash/channel.h"
#include "controller/flash/flight.h"
#include "controller/scheduler.h"
#include "ftl/ftl.h"
#include "nand/timing.h"

namespace ftlab::controller {

/// Hears what the flash side did for host commands.
class FlashClient {
public:
    /// The command's last flash operation has ended, or it needed none (`last` is null).
    virtual void finished(CommandId command, const Flight* last) = 0;
    /// The write buffer may have room, or whoever waits may wait for another reason now.  Comes after everything that
    /// lets the FTL go on by itself; who calls the FTL looks for himself.
    virtual void progressed() = 0;

protected:
    ~FlashClient() = default;
};

/// The timed executor: plays the FTL's operations through the back core, the channels and the dies.
///
/// Every program is a job of the back core first; the FTL may issue the next one only when the core is free, so that
/// the choice between host and GC work is made as late as it can be.  Reads and erases cost no core time.
class FlashController final : public sc_core::sc_module,
                              public ftl::Executor,
                              private EventSink,
                              private FlashDoneInterface {
public:
    FlashController(const sc_core::sc_module_name& name,
                    Scheduler& scheduler,
                    Firmware& firmware,
                    const nand::Geometry& geometry,
                    const nand::Timing& timing,
                    const FlashParams& params,
                    ftl::Ftl& ftl);

    /// Before the first operation.
    void serve(FlashClient& client) { client_ = &client; }

    [[nodiscard]] bool room(ftl::Origin payer, nand::DieId die) const override;
    void issue(const ftl::FlashOp& op) override;
    void finished(CommandId command, ftl::Outcome outcome) override;

    [[nodiscard]] std::uint32_t in_flight() const { return in_flight_; }
    [[nodiscard]] Time bus_busy() const;
    [[nodiscard]] Time array_busy() const;

private:
    enum What : std::uint16_t { program_built };

    void on_event(std::uint32_t what, std::uint32_t data) override;
    void flash_done(std::uint32_t flight) override;
    void submit(std::uint32_t flight);

    Scheduler& scheduler_;
    Firmware& firmware_;
    ftl::Ftl& ftl_;
    FlashClient* client_ = nullptr;
    FlashParams params_;
    std::uint32_t channel_count_;
    SinkId sink_;
    Flights flights_;
    std::deque<FlashChannel> channels_;
    std::vector<std::uint32_t> programs_;  // outstanding, by die
    std::uint32_t jobs_ = 0;               // of the back core
    std::uint32_t in_flight_ = 0;
    const Flight* completing_ = nullptr;
};

}  // namespace ftlab::controller
