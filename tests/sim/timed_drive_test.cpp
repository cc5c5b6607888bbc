// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/catalog.h"
#include "sim/base/config.h"
#include "sim/base/random.h"
#include "sim/device/system.h"
#include "sim/scenario/catalog.h"
#include "sim/workload/uniform.h"
#include "tests/controller/fresh_kernel.h"

namespace ftlab::device {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)
using Engine = controller::Scheduler::Engine;

/// 64 MiB of flash in 32 superblocks; GC and the host share four dies.
DeviceParams small_device() {
    const std::unique_ptr<Catalog> catalog = scenario::builtin_catalog();
    return config::load_text<DeviceParams>(
        "over_provisioning: 40%\n"
        "nand: {geometry: {channels: 2, dies_per_channel: 2, planes: 2, blocks_per_plane: 32,\n"
        "                  nominal_blocks_per_plane: 32, pages_per_block: 16}}\n"
        "ftl: {write_buffer: {size: 256 KiB}}\n",
        {.catalog = catalog.get()});
}

/// A drive of which every sector is written, and a host.
struct SystemBench {
    explicit SystemBench(Engine engine = Engine::run_ahead)
        : drive{params, user_sectors(params, problems), random}, system{drive, engine, kNever} {
        ftl::InstantFlash instant{drive.ftl()};
        instant.write(0, drive.user_lbas());
    }

    [[nodiscard]] workload::UniformRandom random_4k(workload::Op op) const {
        return {{.span = {.lbas = drive.user_lbas()}, .op = op}, random.stream("host")};
    }

    FreshKernel kernel;
    RandomStreams random{17};
    DeviceParams params = small_device();
    std::vector<std::string> problems;
    Drive drive;
    System system;
};

/// Looks at the drive every 10 us.
class Sampler final : private controller::EventSink {
public:
    explicit Sampler(System& system) : system_{system}, sink_{system.scheduler().attach(*this)} { again(); }

    [[nodiscard]] double mean() const { return static_cast<double>(sum_) / static_cast<double>(count_); }

private:
    void on_event(std::uint32_t /*what*/, std::uint32_t /*data*/) override {
        sum_ += system_.ssd().outstanding();
        ++count_;
        again();
    }
    void again() { system_.scheduler().post(system_.scheduler().now() + 10_us, sink_, 0, 0); }

    System& system_;
    controller::SinkId sink_;
    std::uint64_t sum_ = 0;
    std::uint64_t count_ = 0;
};

TEST_CASE("the causes of all commands sum to the sum of their latencies") {
    SystemBench bench;
    workload::UniformRandom writes = bench.random_4k(workload::Op::write);
    workload::UniformRandom reads = bench.random_4k(workload::Op::read);

    const host::PhaseStats written = bench.system.host().run({.source = &writes, .max_ios = 20'000}, {});
    const host::PhaseStats read = bench.system.host().run({.source = &reads, .max_ios = 20'000}, {});

    const auto mean_of_causes = [](const host::OpStats& op) {
        Duration sum{0};
        for (const Duration cause : op.causes) {
            sum += cause;
        }
        return sum / static_cast<std::int64_t>(op.ios);  // the histogram's mean is cut to a picosecond as well
    };
    CHECK(mean_of_causes(written.ops[1]) == written.ops[1].latency.mean());
    CHECK(mean_of_causes(read.ops[0]) == read.ops[0].latency.mean());
    CHECK(read.ops[0].causes[static_cast<std::size_t>(controller::Cause::media)] > 0_us);
}

TEST_CASE("Little's law: the mean number of commands in the drive is throughput times mean latency") {
    const std::uint32_t depth = GENERATE(1U, 4U, 32U);
    const workload::Op op = GENERATE(workload::Op::read, workload::Op::write);
    SystemBench bench;
    Sampler sampler{bench.system};
    workload::UniformRandom source = bench.random_4k(op);

    const host::PhaseStats stats =
        bench.system.host().run({.source = &source, .queue_depth = depth, .max_ios = 20'000}, {});

    const double seconds = to_seconds(stats.drained - stats.begin);
    const double throughput = 20'000.0 / seconds;
    const double latency = to_seconds(stats.ops[op == workload::Op::read ? 0 : 1].latency.mean());
    const double think = to_seconds(bench.params.host.complete + bench.params.host.submit);
    CHECK(sampler.mean() == Approx(throughput * latency).epsilon(0.01));
    CHECK(throughput * (latency + think) == Approx(depth).epsilon(0.005));
}

TEST_CASE("phases in a row leave the drive in the same state at the same time, run ahead or strict") {
    std::vector<std::uint64_t> programs;
    std::vector<Duration> ends;
    for (const Engine engine : {Engine::run_ahead, Engine::strict}) {
        SystemBench bench{engine};
        workload::UniformRandom writes = bench.random_4k(workload::Op::write);
        workload::UniformRandom reads = bench.random_4k(workload::Op::read);

        bench.system.host().run({.source = &writes, .max_ios = 5'000}, {});
        bench.system.host().idle(50_ms, {});
        const host::PhaseStats last = bench.system.host().run({.source = &reads, .max_ios = 5'000}, {});
        bench.system.bring_to_rest();

        programs.push_back(bench.drive.ftl().counters().programs.total());
        ends.push_back(last.drained);
        bench.drive.ftl().check_invariants();
    }

    CHECK(programs[0] == programs[1]);
    CHECK(ends[0] == ends[1]);
}

TEST_CASE("random reads at depth 32 keep the dies busier than at depth 1, and never more than all of them") {
    SystemBench bench;
    workload::UniformRandom shallow = bench.random_4k(workload::Op::read);
    workload::UniformRandom deep = bench.random_4k(workload::Op::read);
    const auto share_busy = [&](workload::UniformRandom& source, std::uint32_t depth) {
        const Time before = bench.system.ssd().flash().array_busy();
        const host::PhaseStats stats =
            bench.system.host().run({.source = &source, .queue_depth = depth, .max_ios = 10'000}, {});
        return to_seconds(bench.system.ssd().flash().array_busy() - before) / to_seconds(stats.drained - stats.begin) /
               4;
    };

    const double at_1 = share_busy(shallow, 1);
    const double at_32 = share_busy(deep, 32);

    CHECK(at_1 < 0.25);
    CHECK(at_32 > 0.5);
    CHECK(at_32 <= 1.0);
}

}  // namespace
}  // namespace ftlab::device
