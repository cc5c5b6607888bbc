// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <tlm_utils/simple_target_socket.h>

#include "sim/base/random.h"
#include "sim/base/units.h"
#include "sim/host/driver.h"
#include "tests/controller/fresh_kernel.h"

namespace ftlab::host {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)
using controller::HostOp;
using workload::Op;
using workload::Request;

/// A drive that answers each command after a time of the test's choice, and remembers what came.
class PlainDrive final : public sc_core::sc_module, private controller::EventSink {
public:
    struct Seen {
        HostOp op;
        std::uint64_t first;
        Time at;
        Time end;
        std::uint32_t outstanding;  // others, when it came
        bool beside_unqueued;       // a trim or flush was in flight
    };

    PlainDrive(const sc_core::sc_module_name& name, controller::Scheduler& scheduler)
        : sc_core::sc_module{name}, scheduler_{scheduler}, sink_{scheduler.attach(*this)} {
        socket.register_nb_transport_fw(this, &PlainDrive::transport);
    }

    tlm_utils::simple_target_socket<PlainDrive> socket{"socket"};
    std::function<Duration()> latency = [] { return 100_us; };  // kNever: no answer
    std::vector<Seen> seen;

private:
    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload,
                                 tlm::tlm_phase& /*phase*/,
                                 sc_core::sc_time& /*delay*/) {
        controller::HostCommand& c = *payload.get_extension<controller::CommandExtension>()->command;
        const Time now = scheduler_.now();
        const Duration taken = latency();
        seen.push_back({c.op, c.first, now, taken == kNever ? kNever : now + taken, outstanding_, unqueued_ > 0});
        ++outstanding_;
        unqueued_ += c.op == HostOp::trim || c.op == HostOp::flush ? 1U : 0U;
        payloads_[c.tag.index()] = &payload;
        if (taken != kNever) {
            scheduler_.post(now + taken, sink_, 0, c.tag.value);
        }
        return tlm::TLM_ACCEPTED;
    }
    void on_event(std::uint32_t /*what*/, std::uint32_t tag) override {
        tlm::tlm_generic_payload& payload = *payloads_[tag];
        controller::HostCommand& c = *payload.get_extension<controller::CommandExtension>()->command;
        c.stamps.charge(controller::Cause::media, scheduler_.now());
        --outstanding_;
        unqueued_ -= c.op == HostOp::trim || c.op == HostOp::flush ? 1U : 0U;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay;
        socket->nb_transport_bw(payload, phase, delay);
    }

    controller::Scheduler& scheduler_;
    controller::SinkId sink_;
    std::array<tlm::tlm_generic_payload*, controller::Ahci::kTags> payloads_{};
    std::uint32_t outstanding_ = 0;
    std::uint32_t unqueued_ = 0;
};

class List final : public workload::Source {
public:
    explicit List(std::vector<Request> requests) : requests_{std::move(requests)} {}

    std::size_t fill(std::span<Request> out) override {
        const std::size_t n = std::min(out.size(), requests_.size() - next_);
        std::copy_n(requests_.begin() + static_cast<std::ptrdiff_t>(next_), n, out.begin());
        next_ += n;
        return n;
    }
    [[nodiscard]] bool has_arrival_times() const override { return true; }

private:
    std::vector<Request> requests_;
    std::size_t next_ = 0;
};

struct HostBench {
    HostBench() { host.socket.bind(drive.socket); }

    PhaseStats run(Job job, std::vector<Request> requests) {
        List source{std::move(requests)};
        job.source = &source;
        return host.run(job, {});
    }

    FreshKernel kernel;
    controller::Scheduler scheduler{"scheduler"};
    device::HostProfile profile;  // 2.5 us to submit, 6 us to complete
    PlainDrive drive{"drive", scheduler};
    HostDriver host{"host", scheduler, profile};
};

/// Request i is for LBA 8 i, so that PlainDrive::Seen says which one it was.
std::vector<Request> any_requests(std::size_t count, Random& random, Duration mean_gap, bool unqueued) {
    std::vector<Request> requests;
    Time at{0};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t dice = random.below(20);
        const Op op = unqueued && dice == 0   ? Op::trim
                      : unqueued && dice == 1 ? Op::flush
                      : dice < 10             ? Op::read
                                              : Op::write;
        requests.push_back({.arrival = at, .first = Lba{8 * i}, .lbas = 8, .op = op});
        at += Duration{static_cast<std::int64_t>(random.below(2 * static_cast<std::uint64_t>(mean_gap.count())))};
    }
    return requests;
}

Duration total_of(const PhaseStats& stats, controller::Cause cause) {
    Duration sum{0};
    for (const OpStats& op : stats.ops) {
        sum += op.causes[static_cast<std::size_t>(cause)];
    }
    return sum;
}

TEST_CASE("in an open loop every request is issued at its arrival time while tags are free, also the first") {
    // Was: requests due in the first microseconds waited for the driver's submit time, later ones did not.
    HostBench bench;
    Random random{3};
    const std::vector<Request> requests = any_requests(3000, random, 50_us, false);

    const PhaseStats stats = bench.run({.open_loop = true}, requests);

    REQUIRE(bench.drive.seen.size() == requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        REQUIRE(bench.drive.seen[i].at.count() == (stats.begin + requests[i].arrival).count());
    }
    CHECK(total_of(stats, controller::Cause::host_queue) == 0_us);
    CHECK(stats.completed == 3000);
}

TEST_CASE("requests that arrive at one instant are issued at it, as many as there are tags") {
    HostBench bench;
    std::vector<Request> requests;
    for (std::uint64_t i = 0; i < 40; ++i) {
        requests.push_back({.arrival = 1_ms, .first = Lba{8 * i}, .lbas = 8});
    }

    const PhaseStats stats = bench.run({.open_loop = true}, requests);

    CHECK(bench.drive.seen[31].at == stats.begin + 1_ms);
    CHECK(bench.drive.seen[32].at == stats.begin + 1_ms + 100_us);
    CHECK(bench.drive.seen[39].first == 312);
    CHECK(total_of(stats, controller::Cause::host_queue) == 8 * 100_us);
}

TEST_CASE("an overloaded open loop keeps due times: waiting in the host counts, as Lindley's recursion says") {
    HostBench bench;
    Random random{5};
    const std::vector<Request> requests = any_requests(2000, random, 95_us, false);

    const PhaseStats stats = bench.run({.queue_depth = 1, .open_loop = true}, requests);

    Duration waits{0};
    Time free{0};
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Time start = std::max(free, requests[i].arrival);
        REQUIRE(bench.drive.seen[i].at.count() == (stats.begin + start).count());
        waits += start - requests[i].arrival;
        free = start + 100_us;
    }
    CHECK(waits > 10_ms);
    CHECK(total_of(stats, controller::Cause::host_queue) == waits);
    CHECK(total_of(stats, controller::Cause::media) == 2000 * 100_us);
}

TEST_CASE("in a closed loop each tag issues again after the driver's times, to the picosecond") {
    HostBench bench;

    const PhaseStats stats = bench.run({.queue_depth = 1}, std::vector<Request>(100, Request{.lbas = 8}));

    const Duration cycle = 100_us + bench.profile.complete + bench.profile.submit;
    for (std::int64_t i = 0; i < 100; ++i) {
        REQUIRE(bench.drive.seen[static_cast<std::size_t>(i)].at == stats.begin + bench.profile.submit + i * cycle);
    }
}

TEST_CASE("a closed loop never has more commands in flight than its depth, and uses all of it") {
    const std::uint32_t depth = GENERATE(1U, 2U, 31U, 32U);
    HostBench bench;
    Random random{7};
    bench.drive.latency = [&] { return 50_us + Duration{static_cast<std::int64_t>(random.below(100'000'000))}; };

    const PhaseStats stats = bench.run({.queue_depth = depth}, std::vector<Request>(2000, Request{.lbas = 8}));

    std::uint32_t most = 0;
    for (const PlainDrive::Seen& s : bench.drive.seen) {
        most = std::max(most, s.outstanding + 1);
    }
    CHECK(most == depth);
    CHECK(stats.completed == 2000);
}

TEST_CASE("nothing is in flight together with a trim or a flush, requests keep their order, and all are answered") {
    const bool open_loop = GENERATE(false, true);
    const std::uint32_t depth = GENERATE(1U, 8U, 32U);
    HostBench bench;
    Random random{11};
    bench.drive.latency = [&] { return 20_us + Duration{static_cast<std::int64_t>(random.below(200'000'000))}; };
    const std::vector<Request> requests = any_requests(3000, random, 60_us, true);

    const PhaseStats stats = bench.run({.queue_depth = depth, .open_loop = open_loop}, requests);

    REQUIRE(bench.drive.seen.size() == 3000);
    for (std::size_t i = 0; i < 3000; ++i) {
        const PlainDrive::Seen& s = bench.drive.seen[i];
        const bool unqueued = s.op == HostOp::trim || s.op == HostOp::flush;
        REQUIRE(s.first == 8 * i);
        REQUIRE_FALSE(s.beside_unqueued);
        REQUIRE((!unqueued || s.outstanding == 0));
    }
    CHECK(stats.issued == 3000);
    CHECK(stats.completed == 3000);
    CHECK(stats.exhausted);
    CHECK(stats.ops[2].ios + stats.ops[3].ios > 100);
}

TEST_CASE("in a closed loop the wait of a trim for the queue to drain, and of what comes after it, is latency") {
    // Was: a closed loop's latency began when the command left the host.
    HostBench bench;
    bench.drive.latency = [&] { return bench.drive.seen.size() == 1 ? 300_us : 100_us; };
    const std::vector<Request> requests{{.lbas = 8}, {.lbas = 8}, {.lbas = 8, .op = Op::trim}, {.lbas = 8}};

    const PhaseStats stats = bench.run({.queue_depth = 2}, requests);

    // Reads from 2.5 us to 102.5 us and to 302.5 us; the first tag is ready for the trim, the second for the last read,
    // complete + submit = 8.5 us later.
    CHECK(bench.drive.seen[2].at == stats.begin + 302'500_ns);
    CHECK(stats.ops[2].latency.max() == 402'500_ns - 111'000_ns);
    CHECK(bench.drive.seen[3].at == stats.begin + 402'500_ns);
    CHECK(stats.ops[0].latency.max() == 300_us);
    CHECK(stats.ops[0].latency.mean() == (100_us + 300_us + 502'500_ns - 311'000_ns) / 3);
    CHECK(total_of(stats, controller::Cause::host_queue) == 191'500_ns + 91'500_ns);
}

TEST_CASE("a phase ends by its time, its number of commands or its bytes, and answers what it has issued") {
    HostBench bench;
    const std::vector<Request> plenty(100'000, Request{.lbas = 8});

    const PhaseStats by_time = bench.run({.duration = 10_ms}, plenty);
    const PhaseStats by_ios = bench.run({.max_ios = 1000}, plenty);
    const PhaseStats by_bytes = bench.run({.max_bytes = std::uint64_t{4096} * 500}, plenty);

    CHECK(by_time.end - by_time.begin == 10_ms);
    CHECK(by_time.drained - by_time.end <= 100_us);
    CHECK(by_time.ios_by_end[0] < by_time.ops[0].ios);
    CHECK(by_ios.completed == 1000);
    CHECK(by_bytes.completed == 500);
    CHECK(by_time.completed + by_ios.completed + by_bytes.completed == bench.drive.seen.size());
}

TEST_CASE("what an ended phase has left pending does not disturb the next one") {
    HostBench bench;
    const std::vector<Request> requests(2000, Request{.lbas = 8});
    const Job limited{.queue_depth = 4, .duration = 20_ms, .max_ios = 100};  // ends long before its time is up

    const PhaseStats first = bench.run(limited, requests);
    const PhaseStats quiet = bench.host.idle(5_ms, {});
    const PhaseStats second = bench.run({.queue_depth = 4, .duration = 30_ms}, requests);

    CHECK(quiet.begin == first.drained);
    CHECK(quiet.end - quiet.begin == 5_ms);
    CHECK(second.begin == quiet.drained);
    CHECK(second.end - second.begin == 30_ms);
    const Duration cycle = 100_us + bench.profile.complete + bench.profile.submit;
    CHECK(second.ios_by_end[0] == 4 * static_cast<std::uint64_t>((30_ms + bench.profile.complete) / cycle));
    CHECK(first.ops[0].latency.max() == 100_us);
    CHECK(second.ops[0].latency.max() == 100_us);
}

TEST_CASE("samples of the seconds, and of the piece at the end, add up to the phase") {
    HostBench bench;
    bench.drive.latency = [] { return 10_ms; };
    List source{std::vector<Request>(100'000, Request{.lbas = 16})};
    std::vector<Sample> samples;

    const PhaseStats stats =
        bench.host.run({.source = &source, .duration = 3_s + 500_ms},
                       {.second = [&](const Sample& s) { samples.push_back(s); }, .interrupted = {}});

    REQUIRE(samples.size() == 4);
    std::uint64_t ios = 0;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        ios += samples[i].ios[0];
        bytes += samples[i].bytes[0];
        CHECK(samples[i].begin == stats.begin + static_cast<std::int64_t>(i) * 1_s);
    }
    CHECK(samples[3].end == stats.end);
    CHECK(ios == stats.ios_by_end[0]);
    CHECK(bytes == stats.bytes_by_end[0]);
}

TEST_CASE("a drive that does not answer ends in an error instead of a run without end") {
    HostBench bench;
    bench.drive.latency = [&] { return bench.drive.seen.size() < 10 ? 100_us : kNever; };

    CHECK_THROWS_AS(bench.run({.queue_depth = 2}, std::vector<Request>(20, Request{.lbas = 8})), Stalled);
    CHECK(bench.scheduler.now() < 700_s);
}

}  // namespace
}  // namespace ftlab::host
