// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "controller/scheduler.h"
#include "controller/ssd.h"
#include "ftl/instant_flash.h"
#include "sim/device/device.h"
#include "sim/host/driver.h"

namespace ftlab::device {

/// A drive, its controller on SystemC and a host: everything of one simulation.  One per process (SystemC's rule).
///
/// Timed phases go through `host`; between them the drive is brought to rest, so that bare phases can use the same FTL
/// through `instant`.
class System {
public:
    System(Drive& drive, controller::Scheduler::Engine engine, Duration quantum);

    [[nodiscard]] host::HostDriver& host() { return host_; }
    [[nodiscard]] const controller::Ssd& ssd() const { return ssd_; }
    [[nodiscard]] controller::Scheduler& scheduler() { return scheduler_; }

    /// Lets all flash operations in flight end and keeps the FTL from issuing more.  Simulated time passes.
    void bring_to_rest();
    /// Goes on from rest.
    void wake_up();

private:
    Drive& drive_;
    controller::Scheduler scheduler_;
    controller::Ssd ssd_;
    host::HostDriver host_;
};

}  // namespace ftlab::device
