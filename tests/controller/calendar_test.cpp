// SPDX-License-Identifier: MIT
#include "controller/calendar.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <map>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "sim/base/units.h"

namespace ftlab::controller {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)

constexpr Duration kBucket{std::int64_t{1} << Calendar::kBucketBits};
constexpr Duration kHorizon = kBucket * static_cast<std::int64_t>(Calendar::kBuckets);
constexpr Duration kHour = 3600_s;

/// A calendar that numbers what is posted.
class Numbered {
public:
    void post(Time at) {
        const auto data = static_cast<std::uint32_t>(next_);
        calendar.push({at, next_++, data, 0, 0});
    }

    /// The numbers of all pending events in the order of their time.
    std::vector<std::uint64_t> drain() {
        std::vector<std::uint64_t> result;
        Event event{};
        while (calendar.pop(kNever, event)) {
            result.push_back(event.sequence);
        }
        return result;
    }

    Calendar calendar;

private:
    std::uint64_t next_ = 0;
};

/// Delays that reach every corner of the calendar.
Duration any_delay(Random& random) {
    const auto up_to = [&](Duration d) {
        return Duration{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(d.count())))};
    };
    switch (random.below(8)) {
        case 0:
            return Duration::zero();
        case 1:
            return up_to(4_ps);
        case 2:
            return up_to(kBucket);
        case 3:
            return 100_ns * static_cast<std::int64_t>(random.below(20));  // often the same instant
        case 4:
            return up_to(kHorizon);
        case 5:
            return kHorizon - 2 * kBucket + up_to(4 * kBucket);
        case 6:
            return up_to(10 * kHorizon);
        default:
            return random.below(20) == 0 ? up_to(kHour) : up_to(2_ms);
    }
}

double cpu_seconds() {
    std::timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

TEST_CASE("the calendar agrees with a sorted map on any sequence of posts and pops") {
    const auto seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
    Random random{seed};
    Calendar calendar;
    std::map<std::pair<Time, std::uint64_t>, std::uint32_t> oracle;
    Time now{};
    std::uint64_t sequence = 0;

    for (int step = 0; step < 40'000; ++step) {
        const std::uint64_t target = 1 + (static_cast<std::uint64_t>(step) / 5000) * 60;  // few at first, then many
        if (random.below(2 * target) >= oracle.size()) {
            const Event event{now + any_delay(random), sequence++, static_cast<std::uint32_t>(random.next()), 0, 0};
            calendar.push(event);
            oracle.emplace(std::pair{event.at, event.sequence}, event.data);
        } else {
            const Time first = oracle.begin()->first.first;
            const Time limit = random.below(4) == 0 ? now + any_delay(random) : kNever;
            Event event{};
            const bool popped = calendar.pop(limit, event);
            REQUIRE(popped == (first <= limit));
            if (popped) {
                REQUIRE(std::pair{event.at, event.sequence} == oracle.begin()->first);
                REQUIRE(event.data == oracle.begin()->second);
                oracle.erase(oracle.begin());
                now = event.at;
            }
        }
        REQUIRE(calendar.size() == oracle.size());
        REQUIRE(calendar.next() == (oracle.empty() ? kNever : oracle.begin()->first.first));
        if (step % 50 == 0) {
            calendar.check_invariants();
        }
    }
    CHECK(sequence > 15'000);
}

TEST_CASE("an empty calendar has no next event and gives none") {
    Calendar calendar;

    Event event{};
    const bool popped = calendar.pop(kNever, event);

    CHECK_FALSE(popped);
    CHECK(calendar.empty());
    CHECK(calendar.next() == kNever);
}

TEST_CASE("an event at the limit is given, an event 1 ps after it is not") {
    const Time at = GENERATE(as<Time>{}, 0_ps, 5_us, 2_s);  // in the wheel and beyond it
    Numbered posted;
    posted.post(at);

    Event event{};
    const bool before_it = posted.calendar.pop(at - 1_ps, event);
    const bool at_it = posted.calendar.pop(at, event);

    CHECK_FALSE(before_it);
    CHECK(at_it);
    CHECK(event.at == at);
}

TEST_CASE("events of one instant come in the order of posting although some were posted from beyond the horizon") {
    const Time instant = kHorizon + 10_us;
    Numbered posted;
    posted.post(20_us);
    posted.post(instant);  // too far away for the wheel
    posted.post(instant);
    Event event{};
    posted.calendar.pop(kNever, event);  // now the wheel reaches it
    posted.post(instant);
    posted.post(instant);

    const std::vector<std::uint64_t> order = posted.drain();

    CHECK(order == std::vector<std::uint64_t>{1, 2, 3, 4});
}

TEST_CASE("the wheel ends exactly where its first bucket would come round again") {
    Numbered posted;
    posted.post(kHorizon);
    posted.post(kHorizon - 1_ps);
    posted.post(0_ps);
    posted.calendar.check_invariants();

    const std::vector<std::uint64_t> order = posted.drain();

    CHECK(order == std::vector<std::uint64_t>{2, 1, 0});
}

TEST_CASE("days without an event are passed in one step each") {
    Numbered posted;
    for (int day = 100; day > 0; --day) {
        posted.post(24 * kHour * day);
    }

    const double start = cpu_seconds();
    std::vector<Time> times;
    Event event{};
    while (posted.calendar.pop(kNever, event)) {
        times.push_back(event.at);
        posted.calendar.check_invariants();
    }
    const double cpu = cpu_seconds() - start;

    REQUIRE(times.size() == 100);
    CHECK(times.front() == 24 * kHour);
    CHECK(std::is_sorted(times.begin(), times.end()));
    CHECK(cpu < 1.0);  // some milliseconds; turning the wheel bucket by bucket would pass 8e12 of them
}

TEST_CASE("the wheel turns with time, by its own events and over idle hours, so that near events find a place in it") {
    const Duration step = GENERATE(as<Duration>{}, 50_us, kHour);
    Numbered posted;
    posted.post(step);

    for (int i = 0; i < 1000; ++i) {
        Event event{};
        posted.calendar.pop(kNever, event);
        posted.post(event.at + kHorizon - kBucket);
        REQUIRE(posted.calendar.in_heap() == 0);
        posted.calendar.pop(kNever, event);
        posted.post(event.at + step);
    }
}

TEST_CASE("a crowd of events costs no more than a heap: the same instant, one bucket, backwards") {
    constexpr std::size_t kCrowd = 200'000;
    const auto order = GENERATE(0, 1, 2);
    Random random{9};
    Numbered posted;

    const double start = cpu_seconds();
    for (std::size_t i = 0; i < kCrowd; ++i) {
        const Duration same = 3 * kBucket;
        const Duration anywhere = same + Duration{static_cast<std::int64_t>(random.below(1U << Calendar::kBucketBits))};
        const Duration backwards = same + Duration{static_cast<std::int64_t>(kCrowd - i)};
        posted.post(order == 0 ? same : order == 1 ? anywhere : backwards);
    }
    posted.calendar.check_invariants();
    Event last{Time{-1}, 0, 0, 0, 0};
    Event event{};
    bool in_order = true;
    std::size_t popped = 0;
    for (; posted.calendar.pop(kNever, event); ++popped) {
        in_order = in_order && before(last, event);
        last = event;
    }
    const double cpu = cpu_seconds() - start;

    CHECK(popped == kCrowd);
    CHECK(in_order);
    CHECK(cpu < 4.0);  // about 0.05 s, with sanitizers 0.5 s; a sorted list takes over 20 s
}

}  // namespace ftlab::controller
