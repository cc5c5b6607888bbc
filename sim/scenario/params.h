// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/config.h"
#include "sim/base/units.h"
#include "sim/workload/workload.h"

namespace ftlab::scenario {

/// How a phase is carried out.
enum class Mode : std::uint8_t {
    timed,  ///< on the controller's model: simulated time passes
    bare,   ///< by the FTL alone, at once
};

}  // namespace ftlab::scenario

template <>
struct ftlab::config::EnumNames<ftlab::scenario::Mode> {
    using Mode = ftlab::scenario::Mode;
    static constexpr EnumName<Mode> kNames[] = {{Mode::timed, "timed"}, {Mode::bare, "bare"}};
};

namespace ftlab::scenario {

struct SecureEraseParams {
    std::string name;
    static void describe(config::Fields<SecureEraseParams>& f);
};

struct FillParams {
    std::string name;
    Mode mode = Mode::bare;
    std::uint32_t passes = 1;
    config::Choice<workload::Pattern> pattern{"sequential"};
    Bytes block{128U << 10U};
    std::uint32_t queue_depth = 32;
    workload::SpanParams span;
    static void describe(config::Fields<FillParams>& f);
};

struct RunParams {
    std::string name;
    Mode mode = Mode::timed;
    workload::WorkloadParams workload;
    std::uint32_t queue_depth = 32;
    std::optional<Duration> duration;
    std::optional<std::uint64_t> ios;
    std::optional<Bytes> bytes;
    static void describe(config::Fields<RunParams>& f);
};

struct IdleParams {
    std::string name;
    Duration duration{0};
    static void describe(config::Fields<IdleParams>& f);
};

struct TrimParams {
    std::string name;
    Mode mode = Mode::timed;
    workload::SpanParams span;
    static void describe(config::Fields<TrimParams>& f);
};

struct FlushParams {
    std::string name;
    Mode mode = Mode::timed;
    static void describe(config::Fields<FlushParams>& f);
};

/// One phase: exactly one of these is present.
struct PhaseParams {
    std::optional<SecureEraseParams> secure_erase;
    std::optional<FillParams> fill;
    std::optional<RunParams> run;
    std::optional<IdleParams> idle;
    std::optional<TrimParams> trim;
    std::optional<FlushParams> flush;
    static void describe(config::Fields<PhaseParams>& f);

    /// "fill", "run", ...; of the first that is present.
    [[nodiscard]] std::string kind() const;
    [[nodiscard]] int kinds() const;
    /// As the user wrote it; may be empty.
    [[nodiscard]] std::string name() const;
};

struct RatioParams {
    std::string metric;
    std::string phase;
    std::optional<Duration> from;
    std::optional<Duration> to;
    static void describe(config::Fields<RatioParams>& f);
};

/// A claim about the result.
struct ExpectParams {
    std::string metric;
    std::string phase;
    std::optional<Duration> from;
    std::optional<Duration> to;
    std::optional<double> min;
    std::optional<double> max;
    std::optional<RatioParams> ratio_to;
    std::string target;
    static void describe(config::Fields<ExpectParams>& f);
};

/// A whole experiment, as its file describes it.
struct ScenarioParams {
    std::string description;
    std::string device;
    std::uint64_t seed = 1;
    Ratio unused{0};
    std::optional<Ratio> over_provisioning;
    std::vector<PhaseParams> phases;
    std::vector<ExpectParams> expect;
    static void describe(config::Fields<ScenarioParams>& f);
};

}  // namespace ftlab::scenario
