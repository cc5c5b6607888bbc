// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenario/program.h"
#include "tests/workload/shared_traces.h"

namespace ftlab::test {

using Catch::Matchers::Contains;
using Json = nlohmann::json;
using workload::testing::shared_trace;

namespace {

/// The sectors that wait to be programmed, by the rules of ftl/README.md in the plainest form: once a program unit of
/// them waits, whole ones are taken from the front, and partial ones on the way are read; what was read is whole and
/// comes to the front; a sector that is written again meanwhile is completed where it waits.
class Waiting {
public:
    explicit Waiting(std::size_t unit) : unit_{unit} {}

    void write(std::uint64_t sector, unsigned lbas) {
        if (masks_.count(sector) == 0) {
            queue_.push_back(sector);
        }
        masks_[sector] |= lbas;
    }
    void settle() {
        take();
        while (!reading_.empty()) {
            masks_[reading_.front()] = kWhole;
            queue_.push_front(reading_.front());
            reading_.pop_front();
            take();
        }
    }
    [[nodiscard]] std::uint64_t reads() const { return reads_; }

    static constexpr unsigned kWhole = 0xff;

private:
    void take() {
        while (taken_.size() + queue_.size() >= unit_) {
            while (taken_.size() < unit_ && !queue_.empty()) {
                const std::uint64_t sector = queue_.front();
                queue_.pop_front();
                const bool whole = masks_[sector] == kWhole;
                (whole ? taken_ : reading_).push_back(sector);
                reads_ += whole ? 0U : 1U;
            }
            if (taken_.size() < unit_) {
                return;
            }
            for (const std::uint64_t sector : taken_) {
                masks_.erase(sector);
            }
            taken_.clear();
        }
    }

    std::size_t unit_;
    std::map<std::uint64_t, unsigned> masks_;
    std::deque<std::uint64_t> queue_, reading_, taken_;
    std::uint64_t reads_ = 0;
};

/// An independent count of the read-modify-writes of an MSR trace on a drive that is full.  `left` sectors of the fill
/// are still waiting when the trace begins.
std::uint64_t count_rmw(const std::string& trace, std::size_t unit, std::uint64_t left) {
    constexpr std::uint64_t kSector = 4096;
    constexpr std::uint64_t kLba = 512;
    Waiting waiting{unit};
    for (std::uint64_t i = 0; i < left; ++i) {
        waiting.write(~i, Waiting::kWhole);  // no sector of the trace
    }
    std::ifstream file{trace};
    for (std::string line; std::getline(file, line);) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields{line};
        std::string stamp, host, disk, op;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        fields >> stamp >> host >> disk >> op >> offset >> size;
        if (op != "Write") {
            continue;
        }
        for (std::uint64_t at = offset; at < offset + size; at += kLba) {
            waiting.write(at / kSector, 1U << (at % kSector / kLba));
        }
        waiting.settle();
    }
    return waiting.reads();
}

Json replay_phase(const ScratchFolder& folder, const std::string& options) {
    const Outcome run = shell(folder, "ftlab replay " + options + " --json");
    INFO(run.err);
    REQUIRE(run.code == 0);
    return Json::parse(run.out)["phases"].back();
}

}  // namespace

TEST_CASE("the WiscSee trace applies its 905 discards to the drive") {
    const auto trace = shared_trace("wiscsee_events/reqscale-mkfs.txt");
    if (!trace) {
        return;
    }
    const ScratchFolder folder;

    const Json phase = replay_phase(folder, *trace + " --device tiny --negative shift --map wrap");

    CHECK(phase["host"]["trim"]["ios"].get<int>() - phase["details"]["requests_split"].get<int>() <= 905);
    CHECK(phase["host"]["trim"]["ios"].get<int>() >= 905);
    CHECK(phase["details"]["trace_requests"] == 20000);
    CHECK(phase["details"]["requests_empty"] == 0);
}

TEST_CASE("wdev_3, unaligned throughout, causes exactly the read-modify-writes of an independent count") {
    const auto trace = shared_trace("msr_cambridge/wdev_3.csv");
    if (!trace) {
        return;
    }
    const ScratchFolder folder;

    const Json phase = replay_phase(folder, *trace + " --device plextor-m5m-64 --precondition fill --mode bare");

    constexpr std::size_t kUnitSectors = 8;  // two planes of 16 KiB pages
    constexpr std::uint64_t kUserSectors = 125'045'424 / 8;
    CHECK(phase["ftl"]["rmw_sectors"].get<std::uint64_t>() ==
          count_rmw(*trace, kUnitSectors, kUserSectors % kUnitSectors));
    CHECK(phase["host"]["write"]["ios"] == 671);
}

TEST_CASE("a week of arrival times passes in seconds, and faster with --speed") {
    const auto trace = shared_trace("msr_cambridge/wdev_3.csv");
    if (!trace) {
        return;
    }
    const ScratchFolder folder;

    CHECK(replay_phase(folder, *trace + " --device plextor-m5m-64")["seconds"].get<double>() ==
          Approx(596962).margin(1));
    CHECK(replay_phase(folder, *trace + " --device plextor-m5m-64 --speed 1000")["seconds"].get<double>() ==
          Approx(596.962).margin(0.1));
    CHECK(replay_phase(folder, *trace + " --device plextor-m5m-64 --closed-loop 4")["seconds"].get<double>() < 10);
}

TEST_CASE("a replay beyond the drive is refused at its line until a rule is named") {
    const ScratchFolder folder;
    folder.write("t.csv",
                 "128166372003061629,h,0,Write,0,4096,1\n"
                 "128166372003061630,h,0,Write,10000000000,4096,1\n");

    const Outcome refused = shell(folder, "ftlab replay t.csv --device tiny");
    const Outcome wrapped = shell(folder, "ftlab replay t.csv --device tiny --map wrap");

    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("t.csv:2") && Contains("--map wrap"));
    CHECK(wrapped.code == 0);
}

TEST_CASE("a damaged line is named, and skipped only on request") {
    const ScratchFolder folder;
    folder.write("t.csv",
                 "128166372003061629,h,0,Write,0,4096,1\n"
                 "128166372003061630,h,0,Wri\n"
                 "128166372003061631,h,0,Read,0,4096,1\n");

    const Outcome refused = shell(folder, "ftlab replay t.csv --device tiny");
    const Json skipped = replay_phase(folder, "t.csv --device tiny --skip-bad 50%");

    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("t.csv:2"));
    CHECK(skipped["details"]["trace_damaged_lines"] == 1);
    CHECK(skipped["host"]["read"]["ios"] == 1);
}

}  // namespace ftlab::test
