// SPDX-License-Identifier: MIT
#include "sim/device/system.h"

#include "sim/base/check.h"

namespace ftlab::device {

using namespace literals;

System::System(Drive& drive, controller::Scheduler::Engine engine, Duration quantum)
    : drive_{drive},
      scheduler_{"scheduler", engine, quantum},
      ssd_{"ssd", scheduler_, drive.params().nand.geometry, drive.timing(), drive.params().controller, drive.ftl()},
      host_{"host", scheduler_, drive.params().host} {
    host_.socket.bind(ssd_.socket);
}

void System::bring_to_rest() {
    drive_.ftl().hold(true);
    // The longest operation is an erase behind a queue of programs: far below a second.
    for (int i = 0; i < 100 && ssd_.flash().in_flight() > 0; ++i) {
        scheduler_.run(scheduler_.now() + 100_ms);
    }
    FTLAB_CHECK(ssd_.flash().in_flight() == 0, "operations in flight end within seconds");
}

void System::wake_up() {
    drive_.ftl().hold(false);
    drive_.ftl().resume(ssd_.executor());
}

}  // namespace ftlab::device
