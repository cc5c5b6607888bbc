// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/config.h"
#include "sim/base/random.h"
#include "sim/base/units.h"
#include "sim/workload/pattern.h"
#include "sim/workload/source.h"

namespace ftlab::workload {

/// Which part of the drive a workload uses: from `offset`, and either `size` or `share` of the whole drive; neither: up
/// to the end.  A share is rounded down to whole 4 KiB sectors.
struct SpanParams {
    Bytes offset{0};
    std::optional<Bytes> size;
    std::optional<Ratio> share;

    static void describe(config::Fields<SpanParams>& f);
};

/// Where the span lies on a drive of this capacity; only without complaints.
[[nodiscard]] Span span_of(const SpanParams& params, Bytes capacity);

/// What keeps a span from lying on a drive of this capacity; empty if nothing.
[[nodiscard]] std::vector<config::Complaint> complaints(const SpanParams& params, Bytes capacity);

/// A generated workload, as a scenario describes it.
struct WorkloadParams {
    config::Choice<Pattern> pattern{"uniform"};
    Bytes block{4096};
    std::optional<Bytes> align;
    Ratio read_share{0};
    Ratio trim_share{0};
    bool fua = false;
    SpanParams span;

    static void describe(config::Fields<WorkloadParams>& f);
};

/// What keeps a workload from running on a drive of this capacity; empty if nothing.  All at once, with the keys at
/// fault.
[[nodiscard]] std::vector<config::Complaint> complaints(const WorkloadParams& params, Bytes capacity);

/// The requests of a workload without complaints.  Its random streams are named after `name`, which must differ between
/// the workloads of one simulation.
std::unique_ptr<Source> start(const WorkloadParams& params,
                              Bytes capacity,
                              const RandomStreams& random,
                              std::string_view name);

}  // namespace ftlab::workload
