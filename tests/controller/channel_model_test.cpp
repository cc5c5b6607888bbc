// SPDX-License-Identifier: MIT
//
// The channel posts events only for ends that somebody waits for.  The model here looks at every end of every transfer
// and array operation and does nothing clever; both must agree on when each operation ends.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "sim/base/units.h"
#include "tests/controller/channel_bench.h"

namespace ftlab::controller::testing {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)
using ftl::OpKind;

/// A channel as its header describes it, from one end to the next.  It stops where the header leaves open what comes
/// next: when two dies ask for the bus at one instant, or one asks for a read at the instant of another's grant.
class PlainChannel {
public:
    PlainChannel(const ChannelSpec& spec, const std::vector<Job>& jobs)
        : spec_{spec}, timing_{spec.geometry(), spec.cell, spec.bus}, jobs_{jobs}, dies_(spec.dies) {
        ends.resize(jobs.size(), kNever);
    }

    void play() {
        for (Time now = next_instant(); now != kNever; now = next_instant()) {
            std::uint32_t allowed = ~0U;  // dies that may ask for the bus now
            if (bus_ && bus_->end == now) {
                const Transfer ended = *bus_;
                bus_.reset();
                transfer_ended(ended, now);
                allowed = spec_.flash.bus_reads_first && !queue_.empty() ? 1U << jobs_[ended.job].die : allowed;
            }
            asking_ = 0;
            for (Die& die : dies_) {
                if (die.array && die.array->end == now) {
                    array_ended(die, now);
                }
            }
            for (; next_job_ < jobs_.size() && jobs_[next_job_].at == now; ++next_job_) {
                Die& die = dies_[jobs_[next_job_].die];
                (jobs_[next_job_].kind == OpKind::read ? die.reads : die.writes).push_back(next_job_);
            }
            for (Die& die : dies_) {
                decide(die, now);
            }
            if (std::popcount(asking_) > 1 || (asking_ & ~allowed) != 0) {
                open_from = now;
                return;
            }
            if (!bus_ && !queue_.empty()) {
                bus_ = queue_.front();
                queue_.pop_front();
                const Duration taken = length(*bus_);
                bus_->end = now + taken;
                bus_busy += taken;
            }
        }
    }

    std::vector<Time> ends;  ///< kNever: not known
    Time open_from = kNever;
    Time bus_busy{0};
    Time array_busy{0};

private:
    enum class What { read_command, data_out, data_in, erase_command };
    struct Transfer {
        What what;
        std::size_t job;
        Time end;
        [[nodiscard]] bool of_read() const { return what == What::read_command || what == What::data_out; }
    };
    struct ArrayOp {
        std::size_t job;
        Time end;
    };
    struct Die {
        std::deque<std::size_t> reads, writes;
        std::optional<ArrayOp> array;
        std::optional<std::size_t> sensed;  // in the page register
        std::optional<std::size_t> loaded;  // in the cache register, to be programmed
        bool cache_taken = false;
        bool data_coming = false;  // the cache register waits for data in, or receives it
        bool commanded = false;    // a read or erase command waits for the bus or is on it
        std::uint32_t reads_in_a_row = 0;
    };

    [[nodiscard]] Time next_instant() const {
        Time next = next_job_ < jobs_.size() ? jobs_[next_job_].at : kNever;
        next = bus_ ? std::min(next, bus_->end) : next;
        for (const Die& die : dies_) {
            next = die.array ? std::min(next, die.array->end) : next;
        }
        return next;
    }

    void transfer_ended(const Transfer& ended, Time now) {
        Die& die = dies_[jobs_[ended.job].die];
        switch (ended.what) {
            case What::read_command:
                die.commanded = false;
                start(die, ended.job, now, timing_.read(jobs_[ended.job].page));
                break;
            case What::data_out:
                die.cache_taken = false;
                ends[ended.job] = now + spec_.flash.ecc_latency;
                break;
            case What::data_in:
                die.data_coming = false;
                die.loaded = ended.job;
                break;
            case What::erase_command:
                die.commanded = false;
                start(die, ended.job, now, timing_.erase());
                break;
        }
    }

    void array_ended(Die& die, Time now) {
        const std::size_t job = die.array->job;
        die.array.reset();
        if (jobs_[job].kind == OpKind::read) {
            die.sensed = job;
        } else {
            ends[job] = now;
        }
    }

    void start(Die& die, std::size_t job, Time now, Duration taken) {
        die.array = ArrayOp{job, now + taken};
        array_busy += taken;
    }

    void decide(Die& die, Time now) {
        if (die.loaded && !die.array) {
            start(die, *die.loaded, now, timing_.program(jobs_[*die.loaded].page));
            die.loaded.reset();
            die.cache_taken = false;
        }
        const bool out = die.sensed && !die.cache_taken;
        const std::size_t sensed = die.sensed.value_or(0);
        if (out) {
            die.sensed.reset();
            die.cache_taken = true;
        }
        if (out && !spec_.flash.cache_read) {
            ask(What::data_out, sensed);
        }
        const bool reads_turn =
            !die.reads.empty() && (die.writes.empty() || die.reads_in_a_row < spec_.flash.reads_in_a_row);
        const bool array_free = !die.array && !die.sensed && !die.commanded && !die.data_coming && !die.loaded;
        if (reads_turn && array_free) {
            die.reads_in_a_row += die.writes.empty() ? 0U : 1U;
            die.commanded = true;
            ask(What::read_command, take(die.reads));
        }
        if (out && spec_.flash.cache_read) {
            ask(What::data_out, sensed);
        }
        if (reads_turn || die.writes.empty() || die.commanded) {
            return;
        }
        if (jobs_[die.writes.front()].kind == OpKind::erase) {
            if (array_free) {
                die.reads_in_a_row = 0;
                die.commanded = true;
                ask(What::erase_command, take(die.writes));
            }
            return;
        }
        const bool beside_program =
            spec_.flash.cache_program && die.array && jobs_[die.array->job].kind == OpKind::program;
        if ((array_free || beside_program) && !die.cache_taken) {
            die.reads_in_a_row = 0;
            die.cache_taken = die.data_coming = true;
            ask(What::data_in, take(die.writes));
        }
    }

    void ask(What what, std::size_t job) {
        const Transfer transfer{what, job, kNever};
        asking_ |= 1U << jobs_[job].die;
        auto at = queue_.end();
        if (spec_.flash.bus_reads_first && transfer.of_read()) {
            at = std::find_if(queue_.begin(), queue_.end(), [](const Transfer& t) { return !t.of_read(); });
        }
        queue_.insert(at, transfer);
    }

    static std::size_t take(std::deque<std::size_t>& queue) {
        const std::size_t job = queue.front();
        queue.pop_front();
        return job;
    }

    [[nodiscard]] Duration length(const Transfer& t) const {
        const Job& job = jobs_[t.job];
        switch (t.what) {
            case What::read_command:
                return timing_.read_command(job.planes);
            case What::data_out:
                return timing_.data_out(job.sectors);
            case What::data_in:
                return timing_.data_in(job.planes);
            case What::erase_command:
                return timing_.erase_command(job.planes);
        }
        return 0_ps;
    }

    const ChannelSpec& spec_;
    nand::Timing timing_;
    const std::vector<Job>& jobs_;
    std::vector<Die> dies_;
    std::deque<Transfer> queue_;
    std::optional<Transfer> bus_;
    std::size_t next_job_ = 0;
    std::uint32_t asking_ = 0;  // dies that ask for the bus at this instant, as bits
};

class Draw {
public:
    explicit Draw(Random random) : random_{random} {}
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_.below(n)); }
    bool coin() { return below(2) == 1; }
    /// Odd picoseconds, so that two ends fall on one instant only where the one causes the other.
    Duration between(Duration low, Duration high) {
        return low +
               Duration{static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>((high - low).count())))};
    }

private:
    Random random_;
};

ChannelSpec any_spec(Draw& draw) {
    ChannelSpec spec;
    spec.dies = 1 + draw.below(4);
    spec.flash.cache_program = draw.coin();
    spec.flash.cache_read = draw.coin();
    spec.flash.bus_reads_first = draw.coin();
    spec.flash.reads_in_a_row = 1 + draw.below(5);
    spec.flash.ecc_latency = draw.coin() ? draw.between(1_us, 20_us) : 0_ps;
    spec.cell.read_lsb = draw.between(10_us, 100_us);
    spec.cell.read_msb = draw.between(10_us, 100_us);
    spec.cell.program_lsb = draw.between(100_us, 500_us);  // data in takes 70 to 360 us
    spec.cell.program_msb = draw.between(500_us, 1500_us);
    spec.cell.erase = draw.between(1_ms, 5_ms);
    spec.bus.rate = Bandwidth{100'000'000 + draw.below(400'000'000)};
    spec.bus.cycle = draw.between(10_ns, 100_ns);
    spec.bus.controller_gap = draw.between(0_ns, 2_us);
    return spec;
}

std::vector<Job> any_jobs(Draw& draw, const ChannelSpec& spec, std::size_t count) {
    std::vector<Job> jobs;
    const std::uint32_t reads = draw.below(101);  // in percent
    Time at{0};
    while (jobs.size() < count) {
        const std::uint32_t burst = 1 + draw.below(24);
        for (std::uint32_t i = 0; i < burst && jobs.size() < count; ++i) {
            Job job;
            job.at = at += draw.between(1_ps, draw.coin() ? 10_ns : 100_us);
            job.die = draw.below(spec.dies);
            job.page = static_cast<std::uint16_t>(draw.below(256));
            if (draw.below(100) < reads) {
                job.kind = OpKind::read;
                job.sectors = static_cast<std::uint16_t>(1 + draw.below(8));
                job.planes = static_cast<std::uint16_t>(1 + (job.sectors - 1) / 4);
            } else {
                job.kind = draw.below(8) == 0 ? OpKind::erase : OpKind::program;
                job.planes = 2;
            }
            jobs.push_back(job);
        }
        at += draw.between(1_ps, 8_ms);  // sometimes long enough for the channel to fall silent
    }
    return jobs;
}

TEST_CASE("every operation of a random load ends when a model that watches every end says") {
    constexpr std::size_t kRuns = 200;
    constexpr std::size_t kJobs = 500;
    std::size_t compared = 0;
    const RandomStreams streams{20260801};
    Draw draw{streams.stream("channel model")};

    for (std::size_t run = 0; run < kRuns; ++run) {
        const ChannelSpec spec = any_spec(draw);
        const std::vector<Job> jobs = any_jobs(draw, spec, kJobs);
        ChannelBench bench{spec};
        PlainChannel plain{spec, jobs};
        for (const Job& job : jobs) {
            bench.add(job);
        }

        bench.play();
        plain.play();

        INFO("run " << run << ", dies " << spec.dies << ", cache program " << spec.flash.cache_program
                    << ", cache read " << spec.flash.cache_read << ", reads first " << spec.flash.bus_reads_first);
        for (std::uint32_t id = 0; id < kJobs; ++id) {
            INFO("job " << id);
            if (plain.ends[id] == kNever) {
                REQUIRE(bench.end(id) > plain.open_from);
            } else {
                REQUIRE(bench.end(id).count() == plain.ends[id].count());
                ++compared;
            }
        }
        if (plain.open_from == kNever) {
            REQUIRE(bench.channel().bus_busy() == plain.bus_busy);
            REQUIRE(bench.channel().array_busy() == plain.array_busy);
        }
        for (std::uint32_t id = 0; id < jobs.size(); ++id) {
            if (jobs[id].kind == OpKind::read) {
                const Flight& f = bench.flight(id);
                REQUIRE((f.die_wait + f.bus_wait + f.bus_transfer + f.media + spec.flash.ecc_latency).count() ==
                        (bench.end(id) - jobs[id].at).count());
            }
        }
    }
    CHECK(compared > kRuns * kJobs * 3 / 4);
}

}  // namespace
}  // namespace ftlab::controller::testing
