// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ftl/counters.h"
#include "sim/device/spare.h"
#include "sim/host/phase_stats.h"
#include "sim/report/series.h"

namespace ftlab::report {

/// A JSON value that is handed on and never changed.
using SharedJson = std::shared_ptr<const nlohmann::ordered_json>;

/// One phase, as it went.
struct PhaseResult {
    std::string name;
    std::string kind;  ///< run, fill, idle, ...
    bool timed = false;
    bool interrupted = false;
    host::PhaseStats host;         ///< of a bare phase only the counts of commands and bytes
    ftl::Counters ftl;             ///< what the FTL counted from the beginning of the phase to its end
    std::optional<Series> series;  ///< of timed phases
    SharedJson details;            ///< what only phases of this kind have to say; may be null

    double cpu_seconds = 0;  ///< differs between equal runs: for run.json

    [[nodiscard]] std::uint64_t ios() const {
        std::uint64_t sum = 0;
        for (const host::OpStats& op : host.ops) {
            sum += op.ios;
        }
        return sum;
    }
};

/// Erase counts over the good blocks.
struct Wear {
    std::uint32_t min = 0;
    double mean = 0;
    std::uint32_t max = 0;
};

/// What became of one expectation.
struct Verdict {
    std::string metric;  ///< with everything that belongs to it, on one line
    std::string phase;
    std::string target;
    std::optional<double> value;
    std::optional<double> min;
    std::optional<double> max;
    std::string problem;  ///< why there is no value
    bool ok = false;
};

/// All that a run found out.
struct Result {
    std::string description;
    std::string device;  ///< its description
    std::uint64_t seed = 0;
    bool partial = false;
    device::Spare spare;
    double unused = 0;
    std::vector<PhaseResult> phases;
    Wear wear;
    std::vector<Verdict> verdicts;
    SharedJson device_config;
    SharedJson scenario_config;
};

/// What may differ between equal runs.
struct RunFacts {
    std::vector<std::string> command;
    std::string scenario_file;
    std::string device_file;
    std::string engine;
    double wall_seconds = 0;
    double cpu_seconds = 0;
    std::uint64_t peak_rss_bytes = 0;
    std::uint64_t events = 0;  ///< handled by the scheduler
};

}  // namespace ftlab::report
