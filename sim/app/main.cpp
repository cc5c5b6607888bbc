// SPDX-License-Identifier: MIT
// The command line: which options there are.  What they do is in commands.h.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sim/app/commands.h"
#include "sim/base/config_error.h"
#include "sim/report/output_folder.h"
#include "sim/workload/trace/error.h"

// libsystemc refers to it, by its C name, from its own main(), which is never called here.
extern "C" int sc_main(int /*argc*/, char* /*argv*/[]);
int sc_main(int /*argc*/, char* /*argv*/[]) { return 0; }

namespace ftlab::app {

namespace {

/// strtoull, which parses numbers for the command line, takes -1 and what is too large for the largest number.
std::string plain_count(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? "" : "write a count from 0 to 2^64 - 1";
}

std::string not_empty(const std::string& text) { return text.empty() ? "is empty; write a value or leave it out" : ""; }

void add_common(CLI::App& command, Common& o) {
    command.add_option("--device", o.device, "The drive: a file, or a name of `ftlab list devices`")->check(not_empty);
    command
        .add_option("--set", o.sets,
                    "Override a key: phases[2].run.queue_depth=4, device.ftl.gc.victim=fifo; repeatable")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_option("--out", o.out, "Write series.csv, result.json and run.json to this folder")->check(not_empty);
    command.add_option("--seed", o.seed, "Seed of all random streams")->check(plain_count);
    command.add_option("--unused", o.unused, "Share of the LBAs that is never touched, like 25%")->check(not_empty);
    command.add_option("--over-provisioning", o.over_provisioning, "Flash capacity / user capacity - 1, like 7%")
        ->check(not_empty);
    command.add_flag_callback(
        "--json", [&o] { o.json = true; }, "Print result.json instead of the summary");
    command
        .add_option_function<std::string>(
            "--log", [&o](const std::string& what) { o.log_gc = what == "gc"; },
            "gc: each victim of garbage collection, to gc.csv in --out or to standard error")
        ->check(CLI::IsMember({"gc"}));
}

void add_engine(CLI::App& command, Common& o) {
    command.add_option("--engine", o.engine, "How events are carried out; the results are the same")
        ->check(CLI::IsMember({"run-ahead", "strict", "kernel"}))
        ->capture_default_str();
}

void add_run(CLI::App& app, RunOptions& o, std::function<int()>& chosen) {
    CLI::App* command = app.add_subcommand("run", "Simulate a scenario and compare it with what it expects");
    command->add_option("scenario", o.scenario, "A file, or a name of `ftlab list scenarios`")->required();
    add_common(*command, o);
    add_engine(*command, o);
    command->callback([&] { chosen = [&o] { return run(o); }; });
}

void add_bare(CLI::App& app, RunOptions& o, std::function<int()>& chosen) {
    CLI::App* command =
        app.add_subcommand("bare", "The same scenario by the FTL alone: no time, the same flash traffic");
    command->add_option("scenario", o.scenario, "A file, or a name of `ftlab list scenarios`")->required();
    add_common(*command, o);
    command
        ->add_option("--passes", o.passes,
                     "Runs that would end by time alone last so many times the size of their span")
        ->check(CLI::Range(1U, 1'000'000U))
        ->capture_default_str();
    command
        ->add_option_function<std::string>(
            "--show", [&o](const std::string&) { o.show_blocks = true; },
            "blocks: draw the superblocks after each phase")
        ->check(CLI::IsMember({"blocks"}));
    command->callback([&] {
        o.bare = true;
        chosen = [&o] { return run(o); };
    });
}

void add_replay(CLI::App& app, ReplayOptions& o, std::function<int()>& chosen) {
    CLI::App* command = app.add_subcommand("replay", "Play a block trace on a drive");
    command->add_option("trace", o.trace, "The trace, not compressed; - for standard input")->required();
    add_common(*command, o);
    command->get_option("--device")->required();
    add_engine(*command, o);
    command->add_option("--format", o.format, "A name of `ftlab list formats`; default: told from the content");
    command->add_option("--speed", o.speed, "Divide arrival times by this");
    command->add_option("--closed-loop", o.closed_loop, "Ignore time stamps and keep so many commands in flight")
        ->check(CLI::Range(1U, 32U));
    command->get_option("--closed-loop")->excludes(command->get_option("--speed"));
    command->add_option("--map", o.map, "Addresses beyond the drive: refuse, wrap, scale, compact")
        ->check(CLI::IsMember({"refuse", "wrap", "scale", "compact"}))
        ->capture_default_str();
    command->add_option("--negative", o.negative, "Requests before byte 0: refuse, skip, shift")
        ->check(CLI::IsMember({"refuse", "skip", "shift"}))
        ->capture_default_str();
    command->add_option("--precondition", o.precondition, "fill: the drive is written once, untimed, before")
        ->check(CLI::IsMember({"none", "fill"}))
        ->capture_default_str();
    command->add_option("--mode", o.mode, "timed, or bare: the FTL alone, without time")
        ->check(CLI::IsMember({"timed", "bare"}))
        ->capture_default_str();
    command->add_option("--ignore", o.ignore, "Leave out read, write, trim or flush; repeatable")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(CLI::IsMember({"read", "write", "trim", "flush"}));
    command->add_option("--skip-bad", o.skip_bad, "Skip and count damaged lines up to this share, like 1%");
    command->add_option("--disk", o.disk, "Which disk of a trace of several");
    command->callback([&] { chosen = [&o] { return replay(o); }; });
}

int dispatch(int argc, char** argv) {
    CLI::App app{"FTLab simulates SSDs from the host's command to the flash cell."};
    app.name("ftlab");
    app.require_subcommand(0, 1);
    app.failure_message(CLI::FailureMessage::simple);
    std::function<int()> chosen;
    RunOptions run_options;
    RunOptions bare_options;
    ReplayOptions replay_options;
    std::vector<std::string> files;
    std::string topic;
    std::string what;
    add_run(app, run_options, chosen);
    add_bare(app, bare_options, chosen);
    add_replay(app, replay_options, chosen);
    CLI::App* check_command = app.add_subcommand("check", "Find all errors of scenarios, drives and their parts");
    check_command->add_option("files", files, "YAML files")->required();
    check_command->callback([&] { chosen = [&] { return check(files); }; });
    CLI::App* describe_command = app.add_subcommand("describe", "The manual of the keys of scenarios and drives");
    describe_command->add_option("topic", topic, "device, scenario, trace, metrics or a key, like gc.victim");
    describe_command->callback([&] { chosen = [&] { return describe(topic); }; });
    CLI::App* list_command = app.add_subcommand("list", "What comes with FTLab");
    list_command->add_option("what", what, "scenarios, devices, policies, formats or metrics");
    list_command->callback([&] { chosen = [&] { return list(what); }; });
    app.add_subcommand("version", "Release and commit")->callback([&] { chosen = [] { return version(); }; });
    app.add_flag_callback(
        "--version", [&] { chosen = [] { return version(); }; }, "Release and commit");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kOk : kUserError;
    }
    if (!chosen) {
        print(app.help());
        return kOk;
    }
    const std::vector<std::string> command(argv, argv + argc);
    run_options.command = bare_options.command = replay_options.command = command;
    return chosen();
}

}  // namespace

}  // namespace ftlab::app

int main(int argc, char** argv) {
    using namespace ftlab;
    try {
        return app::dispatch(argc, argv);
    } catch (const config::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return app::kUserError;
    } catch (const workload::TraceError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return app::kUserError;
    } catch (const report::OutputError& error) {
        fmt::print(stderr, "ftlab: {}\n", error.what());
        return app::kUserError;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "ftlab: not enough memory for a drive of this size\n");
        return app::kUserError;
    } catch (const std::exception& error) {
        fmt::print(stderr, "ftlab: {}\n", error.what());
        return app::kModelFault;
    }
}
