// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "sim/workload/trace/format.h"

namespace ftlab::workload {

extern const TraceFormat kMsrCambridge;
extern const TraceFormat kWiscseeEvents;

/// A new format is one file beside this one, its declaration above, and its address here.
inline constexpr std::array kTraceFormats{
    &kMsrCambridge,
    &kWiscseeEvents,
};

}  // namespace ftlab::workload
