// SPDX-License-Identifier: MIT
#include "sim/workload/workload.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/workload/replay.h"

namespace ftlab::workload {
namespace {

using namespace ftlab::literals;

class Patterns {
public:
    Patterns() { add_builtin_patterns(catalog_); }

    [[nodiscard]] WorkloadParams read(const std::string& yaml) const {
        return config::load_text<WorkloadParams>(yaml, {.catalog = &catalog_});
    }

    /// What reading the text complains about.
    [[nodiscard]] std::string refusal(const std::string& yaml) const {
        try {
            (void)read(yaml);
        } catch (const config::Error& error) {
            return error.what();
        }
        return "read without complaint";
    }

private:
    Catalog catalog_;
};

std::vector<Request> take(Source& source, std::size_t count) {
    std::vector<Request> requests(count);
    requests.resize(source.fill(requests));
    return requests;
}

TEST_CASE("a workload without a word is 4 KiB random writes over the whole drive") {
    const WorkloadParams params = Patterns{}.read("block: 4 KiB");

    const auto source = start(params, 1_GiB, RandomStreams{1}, "run");

    std::uint64_t highest = 0;
    for (const Request& request : take(*source, 10'000)) {
        REQUIRE(request.op == Op::write);
        REQUIRE(request.lbas == 8);
        REQUIRE(request.first.value % 8 == 0);
        highest = std::max(highest, request.end());
    }
    CHECK(highest <= (1_GiB) / kLbaSize);
    CHECK(highest > (1_GiB) / kLbaSize / 1000 * 999);
}

TEST_CASE("a fill is a sequential pattern of one pass") {
    const WorkloadParams params = Patterns{}.read("{pattern: {sequential: {passes: 1}}, block: 128 KiB}");

    const auto source = start(params, 1_MiB, RandomStreams{1}, "fill");

    const std::vector<Request> requests = take(*source, 100);
    CHECK(requests.size() == 8);
    CHECK(requests.back().end() == 2048);
}

TEST_CASE("a share of the drive leaves the rest untouched") {
    const WorkloadParams params = Patterns{}.read("{pattern: {sequential: {passes: 1}}, span: {share: 75%}}");

    const auto source = start(params, 1_MiB, RandomStreams{1}, "fill");

    CHECK(take(*source, 1000).back().end() == 2048 * 3 / 4);
}

TEST_CASE("a span by offset and size holds all requests") {
    const WorkloadParams params = Patterns{}.read("{block: 12 KiB, align: 512 B, span: {offset: 4 KiB, size: 64 KiB}}");

    const auto source = start(params, 1_GiB, RandomStreams{1}, "run");

    for (const Request& request : take(*source, 1000)) {
        REQUIRE(request.first.value >= 8);
        REQUIRE(request.end() <= 8 + 128);
    }
}

TEST_CASE("read and trim shares make a mix, a share of everything does not draw") {
    const Patterns patterns;
    const auto mix = start(patterns.read("{read_share: 50%, trim_share: 20%}"), 1_GiB, RandomStreams{1}, "run");
    const auto reads = start(patterns.read("read_share: 100%"), 1_GiB, RandomStreams{1}, "run");
    const auto trims = start(patterns.read("trim_share: 100%"), 1_GiB, RandomStreams{1}, "run");

    std::vector<unsigned> counts(kOps.size());
    for (const Request& request : take(*mix, 10'000)) {
        ++counts[static_cast<std::size_t>(request.op)];
    }

    CHECK(counts[0] > 4800);
    CHECK(counts[0] < 5200);
    CHECK(counts[2] > 1840);
    CHECK(counts[2] < 2160);
    CHECK(reads->next()->op == Op::read);
    CHECK(trims->next()->op == Op::trim);
}

TEST_CASE("what a request does says nothing about where it goes") {
    const auto mix = start(Patterns{}.read("read_share: 50%"), 1_GiB, RandomStreams{1}, "run");

    unsigned reads = 0;
    unsigned low_reads = 0;
    for (const Request& request : take(*mix, 10'000)) {
        reads += request.op == Op::read ? 1U : 0U;
        low_reads += request.op == Op::read && request.first.value < (512_MiB) / kLbaSize ? 1U : 0U;
    }

    CHECK(low_reads > reads * 46 / 100);  // of some 5000 draws at one half, the deviation is 0.7%
    CHECK(low_reads < reads * 54 / 100);
}

TEST_CASE("two workloads of one simulation draw different addresses") {
    const WorkloadParams params = Patterns{}.read("block: 4 KiB");
    const auto one = start(params, 1_GiB, RandomStreams{1}, "phases[0]");
    const auto two = start(params, 1_GiB, RandomStreams{1}, "phases[1]");

    CHECK(take(*one, 100) != take(*two, 100));
}

TEST_CASE("a workload that makes no sense is refused with the keys at fault") {
    struct Case {
        std::string yaml;
        std::string says;
    };
    const auto bad = GENERATE(values<Case>({
        {"block: 0 B", "block: "},
        {"block: 1000 B", "must be a multiple of 512 B"},
        {"align: 0 B", "align: "},
        {"align: 1 kB", "must be a multiple of 512 B"},
        {"read_share: 101%", "read_share: "},
        {"{read_share: 60%, trim_share: 60%}", "must not exceed 100% together"},
        {"span: {size: 1 GiB, share: 50%}", "must not both be given; leave one out"},
        {"span: {share: 0%}", "share: "},
        {"span: {offset: 100 B}", "must be a multiple of 512 B"},
        {"pattern: {sequential: {passes: 0}}", "passes: "},
        {"pattern: {sequential: {start: 1 B}}", "must be a multiple of 512 B"},
        {"pattern: sequentail", "sequential"},
        {"blok: 4 KiB", "block"},
    }));

    CHECK_THAT(Patterns{}.refusal(bad.yaml), Catch::Contains(bad.says));
}

TEST_CASE("a workload that does not fit the drive is a complaint about its keys") {
    struct Case {
        std::string yaml;
        std::vector<std::string> keys;
        std::string sentence;
    };
    const auto bad = GENERATE(values<Case>({
        {"span: {offset: 1 MiB}", {"span.offset"}, "must lie within the drive, which has 1 MiB"},
        {"span: {offset: 512 KiB, size: 513 KiB}",
         {"span.offset", "span.size"},
         "must not exceed the drive together, which has 1 MiB"},
        {"span: {offset: 512 KiB, share: 75%}",
         {"span.offset", "span.share"},
         "must not exceed the drive together, which has 1 MiB"},
        {"span: {share: 0.1%}", {"span.share"}, "must leave at least one 4 KiB sector"},
        {"block: 2 MiB", {"block"}, "must fit the span, which has 1 MiB"},
        {"{block: 8 KiB, span: {size: 4 KiB}}", {"block"}, "must fit the span, which has 4 KiB"},
        {"pattern: {sequential: {start: 1 MiB}}",
         {"pattern.sequential.start"},
         "must lie within the span, which has 1 MiB"},
    }));

    const std::vector<config::Complaint> found = complaints(Patterns{}.read(bad.yaml), 1_MiB);

    REQUIRE(found.size() == 1);
    CHECK(found[0].keys == bad.keys);
    CHECK(found[0].sentence == bad.sentence);
}

TEST_CASE("a workload that fits to the last LBA is no complaint") {
    const std::string yaml = GENERATE(as<std::string>{}, "block: 1 MiB", "span: {offset: 512 KiB, size: 512 KiB}",
                                      "span: {share: 100%}", "{block: 512 B, span: {offset: 1048064 B}}");

    CHECK(complaints(Patterns{}.read(yaml), 1_MiB).empty());
}

TEST_CASE("the effective configuration of a workload reads back as itself") {
    const Patterns patterns;
    const auto written = config::effective(patterns.read("{pattern: {sequential: {passes: 2}}, span: {share: 50%}}"));

    CHECK(config::effective(patterns.read(written.dump())) == written);
    CHECK(written["span"]["share"] == "50%");
}

TEST_CASE("a replay is configured by its file and rules") {
    const auto params = config::load_text<ReplayParams>(
        "{file: t.csv, map: {rule: compact, chunk: 64 KiB}, negative: shift, ignore: [trim, flush], speed: 2.5, "
        "skip_bad: 1%, disk: 3}");

    CHECK(params.file == "t.csv");
    CHECK(params.map.rule == AddressRule::compact);
    CHECK(params.map.chunk == 64_KiB);
    CHECK(params.negative == NegativeOffsets::shift);
    CHECK(params.ignore == std::vector{Op::trim, Op::flush});
    CHECK(params.speed == 2.5);
    CHECK(params.skip_bad == Ratio{0.01});
    CHECK(params.disk == 3U);
}

TEST_CASE("a replay without sense is refused") {
    const auto refusal = [](const std::string& yaml) -> std::string {
        try {
            (void)config::load_text<ReplayParams>(yaml);
        } catch (const config::Error& error) {
            return error.what();
        }
        return "read without complaint";
    };

    CHECK_THAT(refusal("{}"), Catch::Contains("file"));
    CHECK_THAT(refusal("{file: t, speed: 0}"), Catch::Contains("speed"));
    CHECK_THAT(refusal("{file: t, map: {rule: fold}}"), Catch::Contains("refuse"));
    CHECK_THAT(refusal("{file: t, map: {chunk: 5 KiB}}"), Catch::Contains("must be a multiple of 4 KiB"));
    CHECK_THAT(refusal("{file: t, skip_bad: 200%}"), Catch::Contains("skip_bad"));
}

}  // namespace
}  // namespace ftlab::workload
