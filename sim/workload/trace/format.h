// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sim/workload/trace/input.h"
#include "sim/workload/trace/reader.h"

namespace ftlab::workload {

/// One trace format.  Each is a constant in a file of its own under formats/, listed in formats/all.h.
struct TraceFormat {
    std::string_view name;     ///< for --format
    std::string_view pattern;  ///< what a line looks like, for people
    /// How sure the first bytes of a file (up to 64 KiB) make us, from 0 (it is something else) to 100.
    unsigned (*score)(std::string_view head);
    std::unique_ptr<TraceReader> (*open)(TraceInput input, const TraceOptions& options);
};

/// All formats that we can read, by name.
std::span<const TraceFormat* const> trace_formats();

}  // namespace ftlab::workload
