// SPDX-License-Identifier: MIT
// Readers against damaged input: whatever comes, a reading ends in records that keep the reader's promises or in a
// TraceError with a place in the file.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "sim/workload/replay.h"
#include "sim/workload/trace/error.h"
#include "sim/workload/trace/info.h"

namespace ftlab::workload {
namespace {

const std::string kSamples[] = {
    "128166410318060999,wdev,1,Write,3165323264,4096,1189\n"
    "128166410318061023,wdev,1,Read,3154124800,512,1166\r\n"
    "\n"
    "128166410318061026,wdev,1,Write,0,0,0\n",

    "128166465299039000 \tRead\t32256\t8192\n"
    "128166465299119000 \tRead\t1.82083E+11\t4096\n"
    "128166465299149000 \tWrite\t3221282304\t4096",

    "909 D read 0 4096 0.000000000 0 False\n"
    "0 C read 0 4096 0.000149700 0.0001454 False\n"
    "35059 D discard -8388608 8192 0.131107865 0.000171829 True\n"
    "35125 D write 155533312 28672 2.266116102 0.000434256 True\n",
};

/// Reads to the end or to the error; returns whether there was none.
bool survives(const std::string& text, const TraceOptions& options) {
    const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    try {
        const auto reader = open_trace_text("t", text, options);
        std::uint64_t line = 0;
        TraceInfo info{true};
        for (TraceRecord record; reader->next(record);) {
            const bool keeps_promises = record.line > line && record.offset % 512 == 0 && record.size % 512 == 0 &&
                                        record.offset > -kTraceByteLimit && record.offset < kTraceByteLimit &&
                                        record.size < static_cast<std::uint64_t>(kTraceByteLimit) &&
                                        record.stamp > -kTraceStampLimit && record.stamp < kTraceStampLimit;
            REQUIRE(keeps_promises);
            line = record.line;
            if (record.size < (1U << 30U)) {  // footprints take memory in proportion
                info.add(record);
            }
        }
        REQUIRE(line <= lines);
        REQUIRE(reader->counts().requests + reader->counts().other_lines + reader->counts().damaged_lines <= lines);
        return true;
    } catch (const TraceError& error) {
        const bool has_place = error.line() <= lines && error.column() <= text.size() + 1 &&
                               std::string_view{error.what()}.starts_with("t:") && !error.sentence().empty();
        REQUIRE(has_place);
        return false;
    }
}

TEST_CASE("every beginning of a trace reads, or fails with a place") {
    const std::string sample = GENERATE(from_range(std::begin(kSamples), std::end(kSamples)));

    std::size_t read = 0;
    for (std::size_t length = 0; length <= sample.size(); ++length) {
        read += survives(sample.substr(0, length), {}) ? 1U : 0U;
        survives(sample.substr(0, length), {.skip_bad = Ratio{1}});
    }

    CHECK(read > 0);
    CHECK(read < sample.size());
}

TEST_CASE("a trace cut within its first line is never taken for a shorter request") {
    const std::string line = "909 D write 4096 8192 0.000000000 0 False";

    for (std::size_t length = 0; length < line.size(); ++length) {
        CHECK_FALSE(survives(line.substr(0, length), {.format = "wiscsee"}));
    }
}

TEST_CASE("random damage reads, or fails with a place") {
    const std::string sample = GENERATE(from_range(std::begin(kSamples), std::end(kSamples)));
    const bool forced = GENERATE(false, true);
    Random random = RandomStreams{99}.stream(sample);

    std::size_t failed = 0;
    for (int round = 0; round < 1000; ++round) {
        std::string text = sample;
        for (std::uint64_t changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
            const auto at = static_cast<std::size_t>(random.below(text.size()));
            switch (random.below(5)) {
                case 0:  // a flipped bit
                    text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << random.below(8)));
                    break;
                case 1:  // any byte
                    text[at] = static_cast<char>(random.below(256));
                    break;
                case 2:  // what numbers are made of
                    text[at] = "0123456789-+.eE, \t\n\r"[random.below(20)];
                    break;
                case 3:  // something lost
                    text.erase(at, static_cast<std::size_t>(1 + random.below(20)));
                    break;
                default:  // something repeated
                    text.insert(at, text, at, static_cast<std::size_t>(1 + random.below(20)));
                    break;
            }
        }
        TraceOptions options{.skip_bad = Ratio{round % 2 == 0 ? 0.0 : 0.5}};
        if (forced) {
            options.format = round % 3 == 0 ? "msr" : "wiscsee";
        }
        failed += survives(text, options) ? 0U : 1U;
    }

    CHECK(failed > 50);
    CHECK(failed < 1000);
}

TEST_CASE("replaying damaged traces keeps to the drive, or fails with a place") {
    const AddressRule rule = GENERATE(AddressRule::refuse, AddressRule::wrap, AddressRule::scale, AddressRule::compact);
    constexpr std::uint64_t kDrive = 131'072;
    Random random = RandomStreams{100}.stream("replay");

    std::size_t played = 0;
    for (int round = 0; round < 300; ++round) {
        std::string text = kSamples[2];
        for (int change = 0; change < 3; ++change) {
            text[static_cast<std::size_t>(random.below(text.size()))] = "0123456789- "[random.below(12)];
        }
        try {
            Replay replay{
                [&text] { return open_trace_text("t", text, {.skip_bad = Ratio{0.5}}); },
                true,
                {.negative = round % 2 == 0 ? NegativeOffsets::skip : NegativeOffsets::shift, .map = {.rule = rule}},
                kDrive};
            while (const auto request = replay.next()) {
                REQUIRE(request->end() <= kDrive);
                REQUIRE(request->lbas > 0);
                ++played;
            }
        } catch (const TraceError&) {
            continue;  // refused: as good
        }
    }

    CHECK((played > 0 || rule == AddressRule::refuse));
}

}  // namespace
}  // namespace ftlab::workload
