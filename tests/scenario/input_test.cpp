// SPDX-License-Identifier: MIT
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/scenario/program.h"

namespace ftlab::test {

using Catch::Matchers::Contains;

namespace {

/// What `ftlab run s.yaml` says of this scenario.
std::string complaint_about(const std::string& text, const std::string& options = "") {
    const ScratchFolder folder;
    folder.write("s.yaml", text);
    const Outcome run = shell(folder, "ftlab run s.yaml " + options);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    return run.err;
}

}  // namespace

TEST_CASE("all mistakes of a scenario come at once, each with its place and a suggestion") {
    CHECK(complaint_about("device: tiny\n"
                          "sed: 2\n"
                          "phases:\n"
                          "  - fil: {}\n"
                          "  - run: {duration: 3}\n"
                          "  - run: {queue_depth: 33, ios: 5}\n") ==
          "s.yaml:2:1: sed: unknown key; did you mean \"seed\"?\n"
          "s.yaml:4:5: phases[0].fil: unknown key; did you mean \"fill\"?\n"
          "s.yaml:5:21: phases[1].run.duration: \"3\" has no unit; write \"3 us\" (units: ps, ns, us, ms, s, min, h)\n"
          "s.yaml:6:24: phases[2].run.queue_depth: \"33\" is out of range; write 1 to 32\n");
}

TEST_CASE("a span beyond the drive is refused where it is written") {
    const std::string said = complaint_about(
        "device: tiny\n"
        "phases:\n"
        "  - run:\n"
        "      ios: 1\n"
        "      workload:\n"
        "        span: {size: 4 GiB}\n");

    CHECK_THAT(said, Catch::Matchers::StartsWith("s.yaml:6:"));
    CHECK_THAT(said, Contains("phases[0].run.workload.span.offset: must not exceed the drive together"));
}

TEST_CASE("phases that together last longer than simulated time reaches are refused") {
    // Each was checked alone, and the clock ran over in the second one.
    const std::string said = complaint_about(
        "device: tiny\n"
        "phases:\n"
        "  - idle: {duration: 2400 h}\n"
        "  - run: {duration: 200 h, ios: 1}\n");

    CHECK_THAT(said, Catch::Matchers::StartsWith("s.yaml:4:"));
    CHECK_THAT(said, Contains("phases[1].run.duration: ends later than simulated time reaches"));
}

TEST_CASE("an interval is refused where the metric is a field of the whole phase or result") {
    const std::string said = complaint_about(
        "device: tiny\n"
        "phases:\n"
        "  - run: {duration: 1 s, name: r}\n"
        "expect:\n"
        "  - {metric: waf, phase: r, from: 1 ms, min: 0}\n"
        "  - {metric: seed, to: 1 s, min: 0}\n");

    CHECK_THAT(said, Contains("s.yaml:5:35: expect[0].from: has no meaning for a field"));
    CHECK_THAT(said, Contains("s.yaml:6:"));
}

TEST_CASE("an option that is empty, or a seed that is no count, is refused") {
    // They were taken as not given, and -1 as the largest seed.
    for (const char* option : {"--out ''", "--device ''", "--unused ''", "--over-provisioning ''", "--seed ''",
                               "--seed -1", "--seed 18446744073709551616", "--seed 0x10"}) {
        CAPTURE(option);
        const ScratchFolder folder;
        const Outcome run = shell(folder, std::string{"ftlab run quick "} + option);
        CHECK(run.code == 2);
        CHECK(run.out.empty());
    }
}

TEST_CASE("a trim beyond the drive is refused like any other span") {
    const std::string said = complaint_about(
        "device: tiny\n"
        "phases:\n"
        "  - trim: {span: {offset: 4 GiB}}\n"
        "  - trim: {name: b, span: {offset: 4 KiB, share: 100%}}\n"
        "  - fill: {span: {offset: 4 GiB}}\n");

    CHECK_THAT(said, Contains("s.yaml:3:27: phases[0].trim.span.offset: must lie within the drive, which has"));
    CHECK_THAT(said, Contains("s.yaml:4:36: phases[1].trim.span.offset: must not exceed the drive together"));
    CHECK_THAT(said, Contains("s.yaml:5:27: phases[2].fill.span.offset: must lie within the drive, which has"));
}

TEST_CASE("a run needs an end, and a bare one an end without time") {
    CHECK_THAT(complaint_about("device: tiny\nphases: [run: {}]\n"), Contains("phases[0].run: never ends"));
    CHECK_THAT(complaint_about("device: tiny\nphases: [run: {mode: bare, duration: 1 s}]\n"),
               Contains("phases[0].run.duration: has no meaning in bare mode"));
}

TEST_CASE("names of phases are unique") {
    CHECK_THAT(complaint_about("device: tiny\nphases:\n  - fill: {name: a}\n  - idle: {name: a, duration: 1 s}\n"),
               Contains("s.yaml:4:18: phases[1].idle.name: \"a\" is the name of phases[0] already"));
}

TEST_CASE("a scenario without phases, or with an item that is several, is refused") {
    CHECK_THAT(complaint_about("device: tiny\n"), Contains("phases: is missing"));
    CHECK_THAT(complaint_about("device: tiny\nphases: []\n"), Contains("phases: is empty"));
    CHECK_THAT(complaint_about("device: tiny\nphases: [{fill: {}, flush: {}}]\n"), Contains("has several kinds"));
}

TEST_CASE("expectations are checked before anything runs") {
    const std::string head = "device: tiny\nphases: [run: {name: r, duration: 5 s}, fill: {name: f}]\nexpect:\n  - ";

    CHECK_THAT(complaint_about(head + "{metric: waf, phase: q, min: 1}\n"),
               Contains("expect[0].phase: there is no phase"));
    CHECK_THAT(complaint_about(head + "{metric: mean(write_iop), phase: r, min: 1}\n"), Contains("\"write_iops\""));
    CHECK_THAT(complaint_about(head + "{metric: meen(write_iops), phase: r, min: 1}\n"), Contains("\"mean\""));
    CHECK_THAT(complaint_about(head + "{metric: first_below(write_iops), phase: r, min: 1}\n"),
               Contains("wrong number of bounds"));
    CHECK_THAT(complaint_about(head + "{metric: mean(waf), phase: f, min: 1}\n"),
               Contains("is bare and has no seconds"));
    CHECK_THAT(complaint_about(head + "{metric: mean(waf), phase: r, to: 6 s, min: 1}\n"),
               Contains("expect[0].to: lies beyond the phase \"r\", which lasts 5 s"));
    CHECK_THAT(complaint_about(head + "{metric: host.write.iop, phase: r, min: 1}\n"), Contains("neither a function"));
    CHECK_THAT(complaint_about(head + "{metric: waf, phase: r}\n"), Contains("are both missing"));
}

TEST_CASE("the option --set reaches scenario and device, and its mistakes count the options") {
    const std::string good = "device: tiny\nphases: [fill: {}]\n";

    CHECK(complaint_about(good, "--set seed=2 --set device.ftl.gc.victm=fifo") ==
          "--set:2:15: device.ftl.gc.victm: unknown key; did you mean \"victim\"?\n");
    CHECK(complaint_about(good, "--set phases[0].fill.mod=timed") ==
          "--set:1:16: phases[0].fill.mod: unknown key; did you mean \"mode\"?\n");
    // Was: a place inside a sentence counted the device's options only, and from behind the prefix.
    CHECK_THAT(complaint_about(good, "--set seed=2 --set device.ftl.gc.trigger.lazy.mark_max=1"),
               Contains("--set:2:37: device.ftl.gc.trigger.lazy.mark_max: must not be below") &&
                   Contains("mark_max is 1 at --set:2:37"));
    CHECK(complaint_about(good, "--set seed=2 --set device.ftl")
              .starts_with("--set:2:8: \"device.ftl\" is not an override"));
}

TEST_CASE("a capacity that does not fit the geometry is refused with the least that would") {
    const std::string said = complaint_about("device: tiny\nphases: [fill: {}]\n", "--over-provisioning 0.1%");

    CHECK_THAT(said, Contains("does not fit the geometry") && Contains("over_provisioning of"));
}

TEST_CASE("missing files are named, with a name that may be meant") {
    const ScratchFolder folder;

    CHECK_THAT(shell(folder, "ftlab run quik").err, Contains("\"quik\"") && Contains("did you mean \"quick\"?"));
    CHECK_THAT(complaint_about("device: tinny\nphases: [fill: {}]\n"),
               Contains("s.yaml:1:9: device:") && Contains("did you mean \"tiny\"?"));
    CHECK(shell(folder, "ftlab replay nothing.csv --device tiny").code == 2);
}

TEST_CASE("mistakes on the command line are user errors") {
    const ScratchFolder folder;

    for (const char* command :
         {"ftlab run", "ftlab nonsense", "ftlab run quick --bogus", "ftlab run quick --unused 100%",
          "ftlab run quick --engine fast", "ftlab replay x --device tiny --map nowhere"}) {
        const Outcome outcome = shell(folder, command);
        INFO(command);
        CHECK(outcome.code == 2);
        CHECK(!outcome.err.empty());
    }
    CHECK(shell(folder, "ftlab").code == 0);
    CHECK_THAT(shell(folder, "ftlab --version").out, Catch::Matchers::StartsWith("ftlab "));
}

TEST_CASE("results that cannot be written are refused before the simulation, and nothing is left behind") {
    const ScratchFolder folder;
    folder.write("file", "mine");

    CHECK(shell(folder, "ftlab run quick --out /dev/full").code == 2);
    const Outcome onto_file = shell(folder, "ftlab run quick --out file");
    CHECK(onto_file.code == 2);
    CHECK_THAT(onto_file.err, Contains("file: it is not a folder"));
    CHECK(content_of(folder.path("file")) == "mine");
}

TEST_CASE("a full disk while results are written leaves no half of a result") {
    const ScratchFolder folder;

    // A limit on the size of files acts like a full disk where nobody may mount one.
    const Outcome run = shell(folder, "ulimit -f 8; ftlab run quick --out o");

    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("cannot write results to o/"));
    CHECK(!std::filesystem::exists(folder.path("o")));
}

TEST_CASE("a full disk leaves the results of an earlier run whole") {
    const ScratchFolder folder;
    REQUIRE(shell(folder, "ftlab run quick --out o").code == 0);
    const std::string before = content_of(folder.path("o/result.json")) + content_of(folder.path("o/series.csv"));

    const Outcome run = shell(folder, "ulimit -f 8; ftlab run quick --seed 7 --out o");

    CHECK(run.code == 2);
    CHECK(content_of(folder.path("o/result.json")) + content_of(folder.path("o/series.csv")) == before);
    CHECK(shell(folder, "ls -A o").out == "result.json\nrun.json\nseries.csv\n");
}

TEST_CASE("a full disk under the GC log ends the run") {
    const ScratchFolder folder;

    const Outcome run = shell(folder, "ulimit -f 8; ftlab run quick --log gc --out o");

    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("cannot write the GC log"));
    CHECK(!std::filesystem::exists(folder.path("o")));
}

TEST_CASE("a full disk behind standard output is an error") {
    const ScratchFolder folder;

    const Outcome run = shell(folder, "ftlab run quick --json > /dev/full");

    CHECK(run.code == 2);
    CHECK_THAT(run.err, Contains("cannot write to standard output"));
}

TEST_CASE("results replace those of an earlier run in the same folder") {
    const ScratchFolder folder;
    folder.write("s.yaml", "device: tiny\nphases: [fill: {}]\n");

    REQUIRE(shell(folder, "ftlab run s.yaml --out o && ftlab run s.yaml --seed 7 --out o").code == 0);

    CHECK_THAT(content_of(folder.path("o/result.json")), Contains("\"seed\": 7"));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator{folder.path("o")}) {
        static_cast<void>(entry);
        ++files;
    }
    CHECK(files == 3);
}

TEST_CASE("every scenario and every configuration of the tree passes check") {
    const ScratchFolder folder;

    const Outcome outcome = shell(folder, "ftlab check $FTLAB_HOME/scenarios/*.yaml $FTLAB_HOME/configs/*/*.yaml");

    INFO(outcome.err);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, Contains("quick.yaml: scenario, no errors") && Contains("tiny.yaml: device, no errors") &&
                                Contains("mlc.yaml: part of a device, no errors"));
}

TEST_CASE("check tells the kind of a file from its content and finds all errors of several files") {
    const ScratchFolder folder;
    folder.write("a.yaml", "device: tiny\nphases: [fil: {}]\n");
    folder.write("b.yaml", "nand: {geometry: {planes: 0}}\n");

    const Outcome outcome = shell(folder, "ftlab check a.yaml b.yaml");

    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains("a.yaml:2:10: phases[0].fil:") && Contains("b.yaml:1:27: nand.geometry.planes:"));
}

TEST_CASE("describe and list answer from what is declared in the code") {
    const ScratchFolder folder;

    CHECK_THAT(shell(folder, "ftlab describe gc.trigger.lazy").out, Contains("max_moves") && Contains("default 5.6"));
    CHECK_THAT(shell(folder, "ftlab describe scenario").out, Contains("phases[].run.queue_depth"));
    CHECK_THAT(shell(folder, "ftlab describe vicim").err, Contains("did you mean \"victim\"?"));
    CHECK_THAT(shell(folder, "ftlab list").out, Contains("quick") && Contains("tiny") && Contains("d_choices"));
    CHECK_THAT(shell(folder, "ftlab list metrics").out,
               Contains("upper_mode(column)") && Contains("host.write.latency_us.p99_99"));
}

}  // namespace ftlab::test
