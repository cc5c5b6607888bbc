// SPDX-License-Identifier: MIT
#include "sim/app/experiment.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "sim/base/json.h"
#include "sim/report/block_map.h"
#include "sim/report/output_folder.h"
#include "sim/report/progress_line.h"
#include "sim/report/result_json.h"
#include "sim/report/summary.h"
#include "sim/report/terminal.h"
#include "sim/scenario/expect.h"

namespace ftlab::app {

namespace {

volatile std::sig_atomic_t signalled = 0;

extern "C" void note_signal(int /*signal*/) { signalled = 1; }

/// The first Ctrl-C ends the run in good order, the second one kills.
void catch_signals() {
    struct sigaction action {};
    action.sa_handler = note_signal;  // NOLINT(cppcoreguidelines-pro-type-union-access): POSIX says so
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGXFSZ, SIG_IGN);  // a file too large for the user's limit is then an error like a full disk
}

class Console final : public scenario::Watcher {
public:
    Console(bool show_blocks, bool quiet) : line_{!quiet && report::Terminal::of(2).is_terminal}, show_{show_blocks} {}

    void progressed(const scenario::Progress& p) override {
        line_.show({.phase = p.phase,
                    .timed = p.timed,
                    .seconds = p.seconds,
                    .total_seconds = p.total_seconds,
                    .done = p.done,
                    .iops = p.iops,
                    .waf = p.waf});
    }
    void phase_ended(const report::PhaseResult& phase, const ftl::Ftl& ftl) override {
        line_.clear();
        if (show_) {
            print(fmt::format("after {}: WAF {:.3f}\n{}\n", phase.name, phase.ftl.waf(),
                              report::block_map(ftl.pool(), report::Terminal::of(1).utf8)));
        }
    }
    bool interrupted() override { return signalled != 0; }

private:
    report::ProgressLine line_;
    bool show_;
};

report::RunFacts facts_of(const Common& options, const Job& job) {
    report::RunFacts facts;
    facts.command = options.command;
    facts.engine = options.engine;
    facts.scenario_file = job.scenario_file;
    facts.device_file = job.device_file;
    return facts;
}

void measure(report::RunFacts& facts, std::chrono::steady_clock::time_point begin) {
    facts.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    timespec cpu{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    facts.cpu_seconds = static_cast<double>(cpu.tv_sec) + static_cast<double>(cpu.tv_nsec) * 1e-9;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    constexpr std::uint64_t kKibi = 1024;
    facts.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * kKibi;
}

}  // namespace

void print(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw report::OutputError{"cannot write to standard output: " + std::generic_category().message(errno)};
    }
}

scenario::Options scenario_options(const Common& options) {
    scenario::Options s;
    if (!options.device.empty()) {
        s.device = options.device;
    }
    s.sets = options.sets;
    s.seed = options.seed;
    if (!options.unused.empty()) {
        s.unused = option_value<Ratio>("--unused", options.unused);
        if (s.unused->value < 0 || s.unused->value >= 1) {
            throw config::Error{{{{"--unused", 1, 1}, "", "must be at least 0% and less than 100%"}}};
        }
    }
    if (!options.over_provisioning.empty()) {
        s.over_provisioning = option_value<Ratio>("--over-provisioning", options.over_provisioning);
        if (s.over_provisioning->value < 0) {
            throw config::Error{{{{"--over-provisioning", 1, 1}, "", "must not be negative"}}};
        }
    }
    return s;
}

int carry_out(Job job, const Common& options) {
    const auto begin = std::chrono::steady_clock::now();
    std::optional<report::OutputFolder> out;
    if (!options.out.empty()) {
        out.emplace(options.out);
    }
    std::optional<report::GcLog> log;
    if (options.log_gc) {
        log.emplace(out ? out->open("gc.csv") : stderr);
        job.experiment.gc_log = &*log;
    }
    job.experiment.engine = option_value<scenario::Engine>("--engine", options.engine);

    catch_signals();
    Console console{options.show_blocks, options.json};
    report::RunFacts facts = facts_of(options, job);
    report::Result result = scenario::run(job.experiment, console, facts);
    result.description = job.description;
    result.unused = job.unused;
    result.scenario_config = job.scenario_config;
    if (!result.partial) {
        result.verdicts = scenario::evaluate(job.expect, result);
    }
    if (log) {
        log->flush();
        if (log->failed()) {
            throw report::OutputError{"cannot write the GC log: " + std::generic_category().message(log->error())};
        }
    }
    measure(facts, begin);

    const std::string json = options.json || out ? to_text(report::result_json(result)) : "";
    if (out) {
        out->write("series.csv", report::series_csv(result));
        out->write("result.json", json);
        out->write("run.json", to_text(report::run_json(result, facts)));
        out->publish();
    }
    if (options.json) {
        print(json);
    } else {
        print(report::summary(result, facts, report::Terminal::of(1).utf8));
        if (const std::string table = report::expect_table(result); !table.empty()) {
            print("\n" + table);
        }
    }
    if (result.partial) {
        return kInterrupted;
    }
    const bool all_ok =
        std::all_of(result.verdicts.begin(), result.verdicts.end(), [](const report::Verdict& v) { return v.ok; });
    return all_ok ? kOk : kExpectationFailed;
}

}  // namespace ftlab::app
