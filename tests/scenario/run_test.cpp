// SPDX-License-Identifier: MIT
#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenario/program.h"

namespace ftlab::test {

using Catch::Matchers::Contains;
using Json = nlohmann::json;

namespace {

const char* const kShort = R"(
device: tiny
phases:
  - fill: {mode: bare}
  - run: {name: writes, workload: {block: 4 KiB}, duration: 3 s}
  - run: {name: reads, workload: {block: 4 KiB, read_share: 100%}, ios: 2000}
)";

Json json_of(const ScratchFolder& folder, const std::string& name) {
    return Json::parse(content_of(folder.path(name)));
}

}  // namespace

TEST_CASE("quick.yaml runs in seconds and all that it expects is true") {
    const ScratchFolder folder;

    const Outcome run = shell(folder, "ftlab run quick --out o");

    INFO(run.out << run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, !Contains("FAIL"));
    CHECK(run.err.empty());
    CHECK(json_of(folder, "o/run.json")["cpu_seconds"].get<double>() < 60);
}

TEST_CASE("an expectation that is not met gives exit code 1 and a line that says so") {
    const ScratchFolder folder;
    folder.write("s.yaml", std::string{kShort} + "expect: [{metric: waf, phase: writes, max: 0.5, target: SOME-ID}]\n");

    const Outcome run = shell(folder, "ftlab run s.yaml");

    CHECK(run.code == 1);
    CHECK_THAT(run.out, Contains("FAIL") && Contains("waf") && Contains("SOME-ID"));
}

TEST_CASE("result.json has the fields that other tools rely on") {
    const ScratchFolder folder;
    folder.write("s.yaml", kShort);

    REQUIRE(shell(folder, "ftlab run s.yaml --out o").code == 0);

    const Json result = json_of(folder, "o/result.json");
    CHECK(result["partial"] == false);
    CHECK(result["seed"] == 1);
    CHECK(result["device"]["nand"]["geometry"]["channels"] == 2);
    CHECK(result["spare"]["over_provisioning"].get<double>() == Approx(0.12).margin(1e-5));
    REQUIRE(result["phases"].size() == 3);
    CHECK(result["phases"][0]["mode"] == "bare");
    CHECK(result["phases"][0]["seconds"].is_null());
    const Json& writes = result["phases"][1];
    CHECK(writes["name"] == "writes");
    CHECK(writes["mode"] == "timed");
    CHECK(writes["seconds"] == 3.0);
    for (const char* op : {"read", "write", "trim", "flush"}) {
        for (const char* key : {"ios", "bytes", "iops", "MBps", "latency_us"}) {
            CHECK(writes["host"][op].contains(key));
        }
        for (const char* key : {"mean", "p50", "p99", "p99_9", "p99_99", "max"}) {
            CHECK(writes["host"][op]["latency_us"].contains(key));
        }
    }
    for (const char* kind : {"sectors_programmed", "reads", "programs", "erases"}) {
        CHECK(writes["flash"][kind].contains("host"));
        CHECK(writes["flash"][kind].contains("gc"));
    }
    CHECK(writes["waf"].get<double>() > 0);
    CHECK(result["phases"][2]["host"]["read"]["ios"] == 2000);

    const Json run = json_of(folder, "o/run.json");
    for (const char* key : {"wall_seconds", "peak_rss_bytes", "engine"}) {
        CHECK(run.contains(key));
    }
    CHECK(run["phases"][1]["host_ios_per_cpu_second"].get<double>() > 0);

    const std::string series = content_of(folder.path("o/series.csv"));
    CHECK_THAT(series, Catch::Matchers::StartsWith("time_s,phase,read_iops,write_iops,read_MBps,write_MBps,waf,"
                                                   "free_superblocks,buffer_used_bytes\n1,writes,0,"));
}

TEST_CASE("the causes of latency sum to the latency of all commands") {
    const ScratchFolder folder;
    folder.write("s.yaml", kShort);

    REQUIRE(shell(folder, "ftlab run s.yaml --out o").code == 0);

    const Json result = json_of(folder, "o/result.json");
    const Json& write = result["phases"][1]["host"]["write"];
    double sum = 0;
    for (const Json& cause : write["attribution_us"]) {
        sum += cause.get<double>();
    }
    CHECK(sum / write["ios"].get<double>() == Approx(write["latency_us"]["mean"].get<double>()).epsilon(1e-6));
}

TEST_CASE("equal runs give equal bytes, whichever of the exact engines carries them out") {
    const ScratchFolder folder;
    folder.write("s.yaml", kShort);

    for (const char* run : {"--out a", "--out b", "--out c --engine strict"}) {
        REQUIRE(shell(folder, std::string{"ftlab run s.yaml "} + run).code == 0);
    }

    for (const char* file : {"/result.json", "/series.csv"}) {
        const std::string a = content_of(folder.path(std::string{"a"} + file));
        CHECK(a.size() > 100);
        CHECK(a == content_of(folder.path(std::string{"b"} + file)));
        CHECK(a == content_of(folder.path(std::string{"c"} + file)));
    }
}

TEST_CASE("another seed gives another result") {
    const ScratchFolder folder;
    folder.write("s.yaml", kShort);

    REQUIRE(shell(folder, "ftlab run s.yaml --json > a && ftlab run s.yaml --json --seed 2 > b").code == 0);

    CHECK(json_of(folder, "a")["phases"] != json_of(folder, "b")["phases"]);
}

TEST_CASE("the kernel's own order of ties changes rates and latencies by less than 0.1%") {
    const ScratchFolder folder;
    folder.write("s.yaml", R"(
device: tiny
phases:
  - fill: {mode: bare}
  - run: {name: writes, workload: {block: 4 KiB}, ios: 60000}
)");

    REQUIRE(shell(folder, "ftlab run s.yaml --json > a && ftlab run s.yaml --engine kernel --json > b").code == 0);

    const Json a = json_of(folder, "a")["phases"][1];
    const Json b = json_of(folder, "b")["phases"][1];
    CHECK(a["host"]["write"]["ios"] == b["host"]["write"]["ios"]);
    for (const char* key : {"/waf", "/host/write/iops", "/host/write/latency_us/mean"}) {
        const Json::json_pointer at{key};
        CHECK(a.at(at).get<double>() == Approx(b.at(at).get<double>()).epsilon(0.001));
    }
}

TEST_CASE("Ctrl-C leaves a valid result that is marked partial") {
    const ScratchFolder folder;
    folder.write("s.yaml", R"(
device: tiny
phases:
  - fill: {}
  - run: {name: long, workload: {block: 4 KiB}, duration: 100000 s}
  - idle: {duration: 1 s}
expect: [{metric: waf, phase: long, max: 0}]
)");

    const std::string wait_for_it =
        "n=0; until ls -d o/.tmp-* >/dev/null 2>&1 || [ $n -gt 200 ]; do sleep 0.1; n=$((n+1)); done";
    const Outcome run = shell(folder, "'" FTLAB_PROGRAM "' run s.yaml --out o & pid=$!; " + wait_for_it +
                                          "; sleep 1; kill -INT $pid; wait $pid");

    INFO(run.err);
    CHECK(run.code == 130);
    const Json result = json_of(folder, "o/result.json");
    CHECK(result["partial"] == true);
    REQUIRE(result["phases"].size() == 2);
    CHECK(result["phases"][1]["partial"] == true);
    CHECK(result["phases"][1]["host"]["write"]["ios"].get<int>() > 0);
    CHECK(result["expect"].empty());
    CHECK_THAT(run.out, Contains("interrupted"));
}

TEST_CASE("bare runs cause the flash traffic of their timed twins, with no time in it") {
    const ScratchFolder folder;
    folder.write("s.yaml", R"(
device: tiny
phases:
  - fill: {}
  - run: {name: writes, workload: {block: 4 KiB}, ios: 200000}
)");

    REQUIRE(shell(folder, "ftlab run s.yaml --json > timed && ftlab bare s.yaml --json > bare").code == 0);

    const Json timed = json_of(folder, "timed")["phases"][1];
    const Json bare = json_of(folder, "bare")["phases"][1];
    CHECK(bare["mode"] == "bare");
    CHECK(bare["host"]["write"]["ios"] == 200000);
    CHECK(bare["host"]["write"]["latency_us"]["mean"].is_null());
    CHECK(bare["waf"].get<double>() == Approx(timed["waf"].get<double>()).epsilon(0.1));
}

TEST_CASE("idle time in bare mode ends with the phase") {
    const ScratchFolder folder;
    folder.write("s.yaml", R"(
device: tiny
phases:
  - fill: {}
  - run: {name: before, mode: bare, workload: {block: 4 KiB}, ios: 300000}
  - idle: {duration: 10 s}
  - run: {name: after, mode: bare, workload: {block: 4 KiB}, ios: 300000}
)");

    REQUIRE(shell(folder, "ftlab bare s.yaml --json > bare").code == 0);

    const Json phases = json_of(folder, "bare")["phases"];
    CHECK(phases[2]["flash"]["sectors_programmed"]["gc"].get<int>() > 0);
    CHECK(phases[3]["waf"].get<double>() < 1.5 * phases[1]["waf"].get<double>());
}

TEST_CASE("bare and timed phases may follow each other in any order") {
    const ScratchFolder folder;
    folder.write("s.yaml", R"(
device: tiny
phases:
  - run: {name: a, workload: {block: 4 KiB}, ios: 50000}
  - fill: {name: b, mode: bare, pattern: uniform, block: 4 KiB}
  - run: {name: c, workload: {block: 4 KiB, read_share: 50%}, ios: 50000}
  - trim: {name: d, mode: bare, span: {share: 50%}}
  - secure_erase: {}
  - run: {name: e, workload: {block: 4 KiB}, ios: 50000}
  - flush: {}
  - flush: {mode: bare}
)");

    const Outcome run = shell(folder, "ftlab run s.yaml --json > r");

    INFO(run.err);
    REQUIRE(run.code == 0);
    const Json phases = json_of(folder, "r")["phases"];
    CHECK(phases[0]["host"]["write"]["ios"] == 50000);
    CHECK(phases[3]["ftl"]["sectors_trimmed"].get<int>() > 100'000);
    CHECK(phases[5]["waf"].get<double>() < 1.01);
    CHECK(phases[7]["name"] == "flush_2");
}

TEST_CASE("a bare phase begins with the write buffer that a timed one has left full") {
    // It aborted: bare mode believed that there is always room at rest.
    const ScratchFolder folder;
    folder.write("s.yaml", R"(
device: tiny
phases:
  - run: {name: timed, ios: 1000, workload: {block: 512 B, span: {size: 8 MiB}}}
  - run: {name: bare, mode: bare, ios: 1}
)");

    const Outcome run = shell(folder, "ftlab run s.yaml --set 'device.ftl.write_buffer.size=32 KiB' --json > r");

    INFO(run.err);
    REQUIRE(run.code == 0);
    CHECK(json_of(folder, "r")["phases"][1]["host"]["write"]["ios"] == 1);
}

TEST_CASE("the GC log has a line for each victim") {
    const ScratchFolder folder;
    folder.write("s.yaml", R"(
device: tiny
phases:
  - fill: {}
  - run: {name: writes, workload: {block: 4 KiB}, ios: 100000}
)");

    REQUIRE(shell(folder, "ftlab run s.yaml --out o --log gc").code == 0);

    const std::string log = content_of(folder.path("o/gc.csv"));
    const auto lines = std::count(log.begin(), log.end(), '\n');
    const Json result = json_of(folder, "o/result.json");
    CHECK(lines - 1 == result["phases"][1]["ftl"]["victims"].get<int>());
    CHECK_THAT(log, Catch::Matchers::StartsWith(
                        "time_s,host_sectors,phase,victim,valid_sectors,free_superblocks,trigger,moves,dropped\n"));
    CHECK_THAT(log, Contains(",writes,") && Contains(",lazy,"));
}

TEST_CASE("the option --show blocks draws every superblock with a legend") {
    const ScratchFolder folder;
    folder.write("s.yaml", "device: tiny\nphases: [fill: {span: {share: 50%}}]\n");

    const Outcome run = shell(folder, "LC_ALL=C ftlab bare s.yaml --show blocks");

    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("after fill") && Contains("7777") && Contains("....") && Contains("free"));
}

}  // namespace ftlab::test
