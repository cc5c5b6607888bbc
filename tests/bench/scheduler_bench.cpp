// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <limits>
#include <queue>
#include <vector>

#include <catch2/catch.hpp>

#include "controller/calendar.h"
#include "controller/scheduler.h"
#include "sim/base/random.h"
#include "sim/base/units.h"

namespace ftlab::controller {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)

double cpu_nanoseconds() {
    std::timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

/// What the calendar replaces.
class BinaryHeap {
public:
    void push(const Event& event) { queue_.push(event); }

    bool pop(Time limit, Event& out) {
        if (queue_.empty() || queue_.top().at > limit) {
            return false;
        }
        out = queue_.top();
        queue_.pop();
        return true;
    }

private:
    struct Later {
        bool operator()(const Event& a, const Event& b) const { return before(b, a); }
    };
    std::priority_queue<Event, std::vector<Event>, Later> queue_;
};

/// Delays of 50 ns to 2 ms: all equally likely, or every decade equally likely (many short ones, as on a bus).
class Delays {
public:
    explicit Delays(bool log_uniform) {
        Random random{42};
        for (Duration& d : table_) {
            const double share = random.uniform();
            const double us = log_uniform ? 0.05 * std::pow(2000.0 / 0.05, share) : 0.05 + share * (2000.0 - 0.05);
            d = Duration{std::llround(us * 1e6)};
        }
    }

    Duration draw() { return table_[random_.below(table_.size())]; }

private:
    std::vector<Duration> table_ = std::vector<Duration>(1024);
    Random random_{7};
};

/// Nanoseconds of CPU time per call: the least of several rounds, because a neighbour's jobs can only slow them down.
template <class Round>
double least_ns(Round&& round) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 20; ++i) {
        const double start = cpu_nanoseconds();
        const std::uint64_t done = round();
        least = std::min(least, (cpu_nanoseconds() - start) / static_cast<double>(done));
    }
    return least;
}

/// The hold model (Jones, CACM 1986): each event posts one.
template <class Queue>
double hold(std::size_t pending, bool log_uniform) {
    Delays delays{log_uniform};
    Queue queue;
    std::uint64_t sequence = 0;
    for (std::size_t i = 0; i < pending; ++i) {
        queue.push({delays.draw(), sequence++, 0, 0, 0});
    }
    return least_ns([&] {
        constexpr std::uint64_t kEvents = 200'000;
        Event event{};
        for (std::uint64_t i = 0; i < kEvents; ++i) {
            queue.pop(kNever, event);
            queue.push({event.at + delays.draw(), sequence++, 0, 0, 0});
        }
        return kEvents;
    });
}

class Holder final : public EventSink {
public:
    Holder(Scheduler& scheduler, std::size_t pending) : scheduler_{scheduler}, id_{scheduler.attach(*this)} {
        for (std::size_t i = 0; i < pending; ++i) {
            on_event(0, 0);
        }
    }

    void on_event(std::uint32_t /*what*/, std::uint32_t data) override {
        scheduler_.post(scheduler_.now() + delays_.draw(), id_, 0, data);
    }

private:
    Scheduler& scheduler_;
    SinkId id_;
    Delays delays_{false};
};

}  // namespace

TEST_CASE("the calendar costs less than half of a binary heap at 40 to 300 pending events", "[bench]") {
    for (const bool log_uniform : {false, true}) {
        std::printf("hold model, delays of 50 ns to 2 ms, %s\n", log_uniform ? "log-uniform" : "uniform");
        for (const std::size_t pending : {1U, 8U, 40U, 128U, 300U, 3000U}) {
            const double calendar = hold<Calendar>(pending, log_uniform);
            const double heap = hold<BinaryHeap>(pending, log_uniform);

            std::printf("%5zu pending: calendar %5.1f ns, binary heap %5.1f ns\n", pending, calendar, heap);
            if (pending >= 40 && pending <= 300) {
                CHECK(calendar < 0.5 * heap);
            }
        }
    }
}

TEST_CASE("the scheduler adds less to an event than the calendar saves", "[bench]") {
    constexpr std::size_t kPending = 128;
    Scheduler scheduler{"scheduler"};
    const Holder holder{scheduler, kPending};

    const double event = least_ns([&] {
        const std::uint64_t start = scheduler.events();
        scheduler.run(scheduler.now() + 2_s);  // about 256,000 events
        return scheduler.events() - start;
    });

    std::printf("an event of the scheduler, %zu pending: %.1f ns\n", kPending, event);
    CHECK(event < hold<BinaryHeap>(kPending, false));
}

}  // namespace ftlab::controller
