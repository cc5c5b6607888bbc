// SPDX-License-Identifier: MIT
#include "sim/scenario/params.h"

namespace ftlab::scenario {

using namespace literals;

namespace {
constexpr const char* kNameHelp = "what results and expectations call the phase; empty: by its kind";
constexpr const char* kModeHelp = "timed on the controller's model, or bare: by the FTL alone, without time";
constexpr std::uint32_t kTags = 32;  // of NCQ
}  // namespace

void SecureEraseParams::describe(config::Fields<SecureEraseParams>& f) {
    f("name", &SecureEraseParams::name, kNameHelp);
}

void FillParams::describe(config::Fields<FillParams>& f) {
    f("name", &FillParams::name, kNameHelp);
    f("mode", &FillParams::mode, kModeHelp);
    f("passes", &FillParams::passes, "how many times the span's size is written").range(1, 1'000'000);
    f("pattern", &FillParams::pattern, "where the writes go");
    f("block", &FillParams::block, "size of a write").at_least(kLbaSize);
    f("queue_depth", &FillParams::queue_depth, "commands in flight at most, of a timed fill").range(1, kTags);
    f("span", &FillParams::span, "the part of the used LBAs that is written");
    f.check([](const FillParams& p) -> std::optional<config::Complaint> {
        if (p.block % kLbaSize != Bytes{0}) {
            return config::Complaint{{"block"}, "must be a multiple of 512 B"};
        }
        return std::nullopt;
    });
}

void RunParams::describe(config::Fields<RunParams>& f) {
    f("name", &RunParams::name, kNameHelp);
    f("mode", &RunParams::mode, kModeHelp);
    f("workload", &RunParams::workload, "what the host asks for");
    f("queue_depth", &RunParams::queue_depth, "commands in flight at most").range(1, kTags);
    f("duration", &RunParams::duration, "ends after this simulated time").more_than(0_s);
    f("ios", &RunParams::ios, "ends after so many commands").at_least(1);
    f("bytes", &RunParams::bytes, "ends after the command that reaches this amount of data").at_least(kLbaSize);
}

void IdleParams::describe(config::Fields<IdleParams>& f) {
    f("name", &IdleParams::name, kNameHelp);
    f("duration", &IdleParams::duration, "how long the host is silent").required().more_than(0_s);
}

void TrimParams::describe(config::Fields<TrimParams>& f) {
    f("name", &TrimParams::name, kNameHelp);
    f("mode", &TrimParams::mode, kModeHelp);
    f("span", &TrimParams::span, "the part of the used LBAs that is trimmed");
}

void FlushParams::describe(config::Fields<FlushParams>& f) {
    f("name", &FlushParams::name, kNameHelp);
    f("mode", &FlushParams::mode, kModeHelp);
}

void PhaseParams::describe(config::Fields<PhaseParams>& f) {
    f("secure_erase", &PhaseParams::secure_erase, "back to the state of delivery");
    f("fill", &PhaseParams::fill, "writes a span of the drive, by default once and bare");
    f("run", &PhaseParams::run, "a workload until a stop condition");
    f("idle", &PhaseParams::idle, "time passes without commands; idle garbage collection may run");
    f("trim", &PhaseParams::trim, "tells the drive that data is no longer needed");
    f("flush", &PhaseParams::flush, "waits until every earlier write is on the media");
}

int PhaseParams::kinds() const {
    return (secure_erase ? 1 : 0) + (fill ? 1 : 0) + (run ? 1 : 0) + (idle ? 1 : 0) + (trim ? 1 : 0) + (flush ? 1 : 0);
}

std::string PhaseParams::kind() const {
    return secure_erase ? "secure_erase" : fill ? "fill" : run ? "run" : idle ? "idle" : trim ? "trim" : "flush";
}

std::string PhaseParams::name() const {
    return secure_erase ? secure_erase->name
           : fill       ? fill->name
           : run        ? run->name
           : idle       ? idle->name
           : trim       ? trim->name
           : flush      ? flush->name
                        : "";
}

void RatioParams::describe(config::Fields<RatioParams>& f) {
    f("metric", &RatioParams::metric, "what the expectation's own metric is divided by").required();
    f("phase", &RatioParams::phase, "the phase it is taken from").required();
    f("from", &RatioParams::from, "beginning of the window, from the beginning of the phase; ~: its beginning");
    f("to", &RatioParams::to, "end of the window; ~: the end of the phase");
}

void ExpectParams::describe(config::Fields<ExpectParams>& f) {
    f("metric", &ExpectParams::metric,
      "a function over the phase's seconds, like \"mean(write_iops)\", or a field of the result, like \"waf\" (ftlab "
      "list "
      "metrics)")
        .required();
    f("phase", &ExpectParams::phase, "the phase it speaks of; empty: the metric is a field of the whole result");
    f("from", &ExpectParams::from, "beginning of the window, from the beginning of the phase; ~: its beginning");
    f("to", &ExpectParams::to, "end of the window; ~: the end of the phase");
    f("min", &ExpectParams::min, "the value must not be below; ~: no bound");
    f("max", &ExpectParams::max, "the value must not be above; ~: no bound");
    f("ratio_to", &ExpectParams::ratio_to, "the value is divided by this one");
    f("target", &ExpectParams::target, "the published measurement that stands behind the bounds");
    f.check([](const ExpectParams& p) -> std::optional<config::Complaint> {
        if (!p.min && !p.max) {
            return config::Complaint{{"min", "max"}, "are both missing; give at least one of them"};
        }
        if (p.min && p.max && *p.min > *p.max) {
            return config::Complaint{{"min", "max"}, "must not be above max; exchange the two"};
        }
        return std::nullopt;
    });
}

void ScenarioParams::describe(config::Fields<ScenarioParams>& f) {
    f("description", &ScenarioParams::description, "what the experiment shows, in a few words");
    f("device", &ScenarioParams::device,
      "the drive: a file relative to this one, or a name of `ftlab list devices`; --device overrides it");
    f("seed", &ScenarioParams::seed, "of all random streams");
    f("unused", &ScenarioParams::unused,
      "share of the LBAs, at the end of the drive, that is never touched; spans are relative to the rest")
        .at_least(Ratio{0})
        .less_than(Ratio{1});
    f("over_provisioning", &ScenarioParams::over_provisioning,
      "overrides the device's: nominal flash capacity / user capacity - 1")
        .range(Ratio{0}, Ratio{100});
    f("phases", &ScenarioParams::phases, "what happens, one after the other; each is a map with one key")
        .required()
        .non_empty();
    f("expect", &ScenarioParams::expect, "what must be true of the result");
}

}  // namespace ftlab::scenario
