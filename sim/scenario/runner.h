// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ftl/ftl.h"
#include "sim/base/config.h"
#include "sim/device/device.h"
#include "sim/report/gc_log.h"
#include "sim/report/result.h"
#include "sim/scenario/plan.h"

namespace ftlab::scenario {

/// How the scheduler carries out events; the results are the same.
enum class Engine : std::uint8_t { run_ahead, strict, kernel };

}  // namespace ftlab::scenario

template <>
struct ftlab::config::EnumNames<ftlab::scenario::Engine> {
    using Engine = ftlab::scenario::Engine;
    static constexpr EnumName<Engine> kNames[] = {
        {Engine::run_ahead, "run-ahead"}, {Engine::strict, "strict"}, {Engine::kernel, "kernel"}};
};

namespace ftlab::scenario {

/// How far a run has come.
struct Progress {
    std::string_view phase;
    bool timed = false;
    double seconds = 0;        ///< simulated, in the phase
    double total_seconds = 0;  ///< 0: it does not end by time
    double done = 0;           ///< of the phase, 0 to 1; 0 where nobody knows
    double iops = 0;           ///< of the latest second; bare: commands so far
    double waf = 0;            ///< of the latest second; bare: of the phase so far
};

/// Watches a run and may end it.
class Watcher {
public:
    virtual void progressed(const Progress& /*progress*/) {}
    virtual void phase_ended(const report::PhaseResult& /*phase*/, const ftl::Ftl& /*ftl*/) {}
    /// Asked at least every 65536 commands and once a simulated second.
    virtual bool interrupted() { return false; }

protected:
    ~Watcher() = default;
};

/// A drive and what is done with it.
struct Experiment {
    const device::DeviceParams* device = nullptr;
    std::uint32_t user_sectors = 0;
    std::uint64_t seed = 1;
    Engine engine = Engine::run_ahead;
    std::vector<PhasePlan> phases;
    report::GcLog* gc_log = nullptr;
};

/// A fault of the model: commands without an answer.
class Incomplete : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Carries out the phases.  Throws Incomplete (or host::Stalled) when commands stay unanswered, and what sources throw.
/// At most one call with timed phases a process: SystemC's rule.
[[nodiscard]] report::Result run(const Experiment& experiment, Watcher& watcher, report::RunFacts& facts);

}  // namespace ftlab::scenario
