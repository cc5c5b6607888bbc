// SPDX-License-Identifier: MIT
#include "controller/scheduler.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "controller/sc_time.h"
#include "sim/base/check.h"
#include "sim/base/random.h"
#include "sim/base/units.h"
#include "tests/controller/fresh_kernel.h"

namespace ftlab::controller {
namespace {

using namespace ftlab::literals;  // NOLINT(google-build-using-namespace)
using Engine = Scheduler::Engine;

/// FNV-1a over all that is added.
class Hash {
public:
    void add(std::uint64_t value) {
        for (int i = 0; i < 8; ++i) {
            value_ = (value_ ^ (value & 0xffU)) * 0x100000001b3ULL;
            value >>= 8U;
        }
    }
    void add(Time t) { add(static_cast<std::uint64_t>(t.count())); }

    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

/// A part whose behaviour a test writes in place.
class Part final : public EventSink {
public:
    using Behaviour = std::function<void(std::uint32_t what, std::uint32_t data)>;

    explicit Part(Scheduler& scheduler, Behaviour behaviour = {})
        : scheduler_{scheduler}, id_{scheduler.attach(*this)}, behaviour_{std::move(behaviour)} {}

    void post(Time at, std::uint16_t what = 0, std::uint32_t data = 0) { scheduler_.post(at, id_, what, data); }

    void on_event(std::uint32_t what, std::uint32_t data) override {
        times.push_back(scheduler_.now());
        whats.push_back(what);
        if (behaviour_) {
            behaviour_(what, data);
        }
    }

    std::vector<Time> times;
    std::vector<std::uint32_t> whats;

private:
    Scheduler& scheduler_;
    SinkId id_;
    Behaviour behaviour_;
};

/// A foreign module: an SC_METHOD that does what a test writes in place whenever `wake` is notified.
class Foreign final : public sc_core::sc_module {
public:
    enum class Start { at_once, when_notified };

    Foreign(const sc_core::sc_module_name& name, std::function<void()> behaviour, Start start = Start::when_notified)
        : sc_module{name}, behaviour_{std::move(behaviour)} {
        SC_HAS_PROCESS(Foreign);
        SC_METHOD(act);
        sensitive << wake;
        if (start == Start::when_notified) {
            dont_initialize();
        }
    }

    sc_core::sc_event wake;

private:
    void act() { behaviour_(); }

    std::function<void()> behaviour_;
};

/// A model of several parts that post to each other at random, so that the order of events decides what is posted next.
class RandomModel {
public:
    enum class Ties { many, none };

    RandomModel(Scheduler& scheduler, Ties ties) : scheduler_{scheduler}, ties_{ties} {
        for (std::uint32_t i = 0; i < 8; ++i) {
            parts_.push_back(std::make_unique<Part>(
                scheduler, [this, i](std::uint32_t what, std::uint32_t data) { happened(i, what, data); }));
        }
        for (int i = 0; i < 40; ++i) {
            post_one();
        }
    }

    /// What a foreign process may do to it.
    void post_one() {
        ++pending_;
        parts_[random_.below(parts_.size())]->post(scheduler_.now() + delay(),
                                                   static_cast<std::uint16_t>(random_.below(100)),
                                                   static_cast<std::uint32_t>(random_.next()));
    }

    [[nodiscard]] std::uint64_t state() const { return log_.value(); }
    [[nodiscard]] Time latest() const { return latest_; }

    /// Called within each event.
    std::function<void()> also = [] {};

private:
    void happened(std::uint32_t part, std::uint32_t what, std::uint32_t data) {
        latest_ = scheduler_.now();
        log_.add(latest_);
        log_.add(part);
        log_.add((std::uint64_t{what} << 32U) | data);
        --pending_;
        also();
        for (std::uint64_t posts = random_.below(3); posts > 0 && pending_ < 300; --posts) {
            post_one();
        }
        while (pending_ < 10) {
            post_one();
        }
    }

    Duration delay() {
        if (ties_ == Ties::none) {
            return 50_ns + Duration{static_cast<std::int64_t>(random_.below(2'000'000'000))};
        }
        switch (random_.below(8)) {
            case 0:
                return Duration::zero();
            case 1:
                return 1_us * static_cast<std::int64_t>(random_.below(4));
            case 2:
                return 10_ms;
            default:
                return 10_us * static_cast<std::int64_t>(random_.below(100));
        }
    }

    Scheduler& scheduler_;
    Ties ties_;
    Random random_{2024};
    std::vector<std::unique_ptr<Part>> parts_;
    std::size_t pending_ = 0;
    Time latest_{};
    Hash log_;
};

/// Polls the model from an SC_THREAD, as a user's test bench would.
class Observer final : public sc_core::sc_module {
public:
    Observer(const sc_core::sc_module_name& name, const Scheduler& scheduler, const RandomModel& model)
        : sc_module{name}, scheduler_{scheduler}, model_{model} {
        SC_HAS_PROCESS(Observer);
        SC_THREAD(poll);
    }

    std::uint64_t samples = 0;
    bool saw_the_future = false;
    Hash seen;

private:
    [[noreturn]] void poll() {
        const Duration period{137'003'001};
        for (;;) {
            sc_core::wait(to_sc(period));
            ++samples;
            saw_the_future = saw_the_future || model_.latest() > kernel_now() || scheduler_.now() != kernel_now();
            seen.add(model_.state());
        }
    }

    const Scheduler& scheduler_;
    const RandomModel& model_;
};

struct Outcome {
    std::uint64_t log = 0;
    std::uint64_t events = 0;
    std::uint64_t seen = 0;
    Time end{};
    bool saw_the_future = false;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& o) {
    return out << std::hex << "log " << o.log << " seen " << o.seen << std::dec << ", " << o.events << " events until "
               << o.end.count() << (o.saw_the_future ? ", saw the future" : "");
}

struct Experiment {
    Engine engine = Engine::run_ahead;
    Duration quantum = kNever;
    RandomModel::Ties ties = RandomModel::Ties::many;
    bool observed = false;
    Duration injected_every{};   // by a foreign process; 0: never
    Duration signalled_every{};  // the model notifies a foreign process that posts; 0: never
    Duration slice = kNever;
};

constexpr Time kLength = 1_s;

/// Each in a kernel of its own.
Outcome run(const Experiment& e) {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", e.engine, e.quantum};
    RandomModel model{scheduler, e.ties};
    std::unique_ptr<Observer> observer;
    if (e.observed) {
        observer = std::make_unique<Observer>("observer", scheduler, model);
    }
    std::unique_ptr<Foreign> injector;
    if (e.injected_every > Duration::zero()) {
        injector = std::make_unique<Foreign>("injector", [&] {
            model.post_one();
            injector->wake.notify(to_sc(e.injected_every));
        });
        injector->wake.notify(to_sc(e.injected_every));
    }
    std::unique_ptr<Foreign> device;
    Time next_signal = e.signalled_every;
    if (e.signalled_every > Duration::zero()) {
        device = std::make_unique<Foreign>("device", [&] { model.post_one(); });
        model.also = [&] {
            const Time now = scheduler.now();
            if (now >= next_signal) {
                next_signal = now + e.signalled_every;
                scheduler.notify_foreign(device->wake, now + Duration{now.count() % 3 * 10'000'000});
            }
        };
    }
    while (scheduler.now() < kLength) {
        REQUIRE(scheduler.run(e.slice > kLength - scheduler.now() ? kLength : scheduler.now() + e.slice) ==
                StopReason::reached);
        REQUIRE(scheduler.now() == kernel_now());
    }
    return {model.state(), scheduler.events(), observer ? observer->seen.value() : 0, scheduler.now(),
            observer && observer->saw_the_future};
}

/// Makes failed FTLAB_CHECKs exceptions.
class ChecksThrow {
public:
    ChecksThrow() : previous_{on_check_failure(fail)} {}
    ~ChecksThrow() { on_check_failure(previous_); }
    ChecksThrow(const ChecksThrow&) = delete;
    ChecksThrow& operator=(const ChecksThrow&) = delete;

private:
    static void fail() {
        on_check_failure(fail);  // a reporter is used up
        throw std::logic_error("a check failed");
    }

    std::function<void()> previous_;
};

Engine any_engine() { return GENERATE(Engine::run_ahead, Engine::strict, Engine::kernel); }

}  // namespace

TEST_CASE("running ahead, at any quantum, gives the same log of events as keeping step with the kernel") {
    const Outcome strict = run({.engine = Engine::strict});
    REQUIRE(strict.events > 10'000);

    for (const Duration quantum : {0_ps, 1_ps, 10_us, 137_us, 1_ms, kNever}) {
        CHECK(run({.quantum = quantum}) == strict);
    }
}

TEST_CASE("an observer never finds the model ahead of the kernel's time, and disturbs nothing") {
    const Outcome alone = run({.engine = Engine::strict});
    const Outcome strict = run({.engine = Engine::strict, .observed = true});

    CHECK(strict.log == alone.log);
    CHECK_FALSE(strict.saw_the_future);
    for (const Duration quantum : {10_us, 1_ms, kNever}) {
        CHECK(run({.quantum = quantum, .observed = true}) == strict);
    }
}

TEST_CASE("a foreign process may post at the very instants of the model's events, in any engine") {
    for (const Duration period : {10_us, 30_us, 137'003'001_ps}) {
        const Outcome strict = run({.engine = Engine::strict, .injected_every = period});

        CHECK(strict.log != run({.engine = Engine::strict}).log);
        for (const Duration quantum : {10_us, 1_ms, kNever}) {
            CHECK(run({.quantum = quantum, .observed = true, .injected_every = period}).log == strict.log);
        }
    }
}

TEST_CASE("a model that notifies foreign processes, which answer, runs the same ahead as in step") {
    const Outcome strict = run({.engine = Engine::strict, .observed = true, .signalled_every = 50_us});

    CHECK(strict.log != run({.engine = Engine::strict}).log);
    for (const Duration quantum : {10_us, 1_ms, kNever}) {
        CHECK(run({.quantum = quantum, .observed = true, .signalled_every = 50_us}) == strict);
    }
}

TEST_CASE("where no two events coincide, the calendar gives what the kernel itself gives") {
    const auto every = GENERATE(as<Duration>{}, 0_ps, 333'333'331_ps);
    const Experiment by_kernel{.engine = Engine::kernel,
                               .ties = RandomModel::Ties::none,
                               .observed = true,
                               .injected_every = every,
                               .signalled_every = every};
    const Outcome kernel = run(by_kernel);
    REQUIRE(kernel.events > 10'000);

    for (const Engine engine : {Engine::run_ahead, Engine::strict}) {
        Experiment e = by_kernel;
        e.engine = engine;
        CHECK(run(e) == kernel);
    }
}

TEST_CASE("a run in slices equals one run") {
    const Engine engine = any_engine();
    const auto ties = engine == Engine::kernel ? RandomModel::Ties::none : RandomModel::Ties::many;
    const Outcome whole = run({.engine = engine, .ties = ties, .observed = true});

    for (const Duration slice : {30_us, 999'999'937_ps, 10_ms}) {  // the first and last end on events
        CHECK(run({.engine = engine, .ties = ties, .observed = true, .slice = slice}) == whole);
    }
}

TEST_CASE("an event exactly at the end of a run happens in it, and so does what it posts for that instant") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    Part poster{scheduler, [&](std::uint32_t, std::uint32_t) { part.post(scheduler.now()); }};
    poster.post(10_us);
    part.post(10_us + 1_ps);

    const StopReason reason = scheduler.run(10_us);

    CHECK(reason == StopReason::reached);
    CHECK(part.times == std::vector<Time>{10_us});
    CHECK(scheduler.now() == 10_us);
    CHECK(kernel_now() == 10_us);
}

TEST_CASE("a foreign process that wakes exactly at the end of a run acts in it") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    Foreign foreign{"foreign", [&] { part.post(scheduler.now()); }};
    foreign.wake.notify(to_sc(10_us));
    part.post(1_s);

    const StopReason reason = scheduler.run(10_us);

    CHECK(reason == StopReason::reached);
    CHECK(part.times == std::vector<Time>{10_us});
}

TEST_CASE("a run of no length does what is due, at the start and later") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    part.post(0_ps);
    part.post(5_us);

    const StopReason at_start = scheduler.run(0_ps);
    const std::size_t done_at_start = part.times.size();
    scheduler.run(3_us);
    part.post(3_us);
    const StopReason later = scheduler.run(3_us);
    const StopReason again = scheduler.run(3_us);

    CHECK(at_start == StopReason::reached);
    CHECK(done_at_start == 1);
    CHECK(later == StopReason::reached);
    CHECK(again == StopReason::reached);
    CHECK(part.times == std::vector<Time>{0_ps, 3_us});
}

TEST_CASE("a first run of no length starts the foreign processes, whose posts for that instant happen") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    Foreign foreign{"foreign", [&] { part.post(0_ps); }, Foreign::Start::at_once};

    const StopReason reason = scheduler.run(0_ps);

    CHECK(reason == StopReason::reached);
    CHECK(part.times == std::vector<Time>{0_ps});
}

TEST_CASE("stop() ends the run after the event in hand, and the next run goes on from there") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler, [&](std::uint32_t what, std::uint32_t) {
                  if (what == 1) {
                      scheduler.stop();
                  }
              }};
    part.post(10_us, 0);
    part.post(20_us, 1);
    part.post(21_us, 2);
    part.post(5_ms, 3);

    const StopReason first = scheduler.run(1_s);
    const std::size_t done = part.times.size();
    const Time stopped_at = scheduler.now();
    const Time kernel_stopped_at = kernel_now();
    const StopReason second = scheduler.run(1_ms);
    const StopReason third = scheduler.run(1_s);

    CHECK(first == StopReason::stopped);
    CHECK(done == 2);
    CHECK(stopped_at == 20_us);
    CHECK(kernel_stopped_at == 20_us);
    CHECK(second == StopReason::reached);
    CHECK(third == StopReason::drained);
    CHECK(part.whats == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(part.times.back() == 5_ms);
}

TEST_CASE("stop() leaves the other events of its instant pending, in their order") {
    const FreshKernel kernel;
    const Engine engine = any_engine();
    Scheduler scheduler{"scheduler", engine};
    Part part{scheduler, [&](std::uint32_t, std::uint32_t) { scheduler.stop(); }};
    for (std::uint16_t what = 0; what < 4; ++what) {
        part.post(20_us, what);
    }

    std::size_t runs = 0;
    while (scheduler.run(20_us) == StopReason::stopped) {
        ++runs;
        REQUIRE(part.times.size() == runs);
        REQUIRE(scheduler.now() == 20_us);
    }

    CHECK(runs == 4);
    if (engine != Engine::kernel) {  // the kernel has its own order
        CHECK(part.whats == std::vector<std::uint32_t>{0, 1, 2, 3});
    }
}

TEST_CASE("a foreign process may stop the run, and may be the only one left") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    Foreign foreign{"foreign", [&] { scheduler.stop(); }};
    foreign.wake.notify(to_sc(30_us));
    part.post(10_us);
    part.post(40_us);

    const StopReason first = scheduler.run(1_s);
    const Time stopped_at = scheduler.now();
    foreign.wake.notify(to_sc(30_us));
    const StopReason second = scheduler.run(1_s);

    CHECK(first == StopReason::stopped);
    CHECK(stopped_at == 30_us);
    CHECK(second == StopReason::stopped);
    CHECK(scheduler.now() == 60_us);
    CHECK(part.times == std::vector<Time>{10_us, 40_us});
}

TEST_CASE("the model's events at the instant of a foreign stop remain for the next run") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", GENERATE(Engine::run_ahead, Engine::strict)};
    Part part{scheduler};
    Foreign foreign{"foreign", [&] { scheduler.stop(); }};
    const bool foreign_first = GENERATE(true, false);  // in the kernel's own order
    if (foreign_first) {
        foreign.wake.notify(to_sc(10_us));
    }
    part.post(10_us);
    foreign.wake.notify(to_sc(10_us));

    const StopReason first = scheduler.run(1_s);
    const std::size_t done = part.times.size();
    const StopReason second = scheduler.run(1_s);

    CHECK(first == StopReason::stopped);
    CHECK(done == 0);
    CHECK(second == StopReason::drained);
    CHECK(part.times == std::vector<Time>{10_us});
}

TEST_CASE("stop() outside a run does not touch the next one") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    part.post(10_us);

    scheduler.stop();
    const StopReason reason = scheduler.run(20_us);

    CHECK(reason == StopReason::drained);
    CHECK(part.times.size() == 1);
}

TEST_CASE("a model without events is drained at the time of the last one, and can be used again") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};

    const StopReason empty = scheduler.run(1_s);
    const Time empty_at = scheduler.now();
    part.post(10_us);
    part.post(30_us);
    const StopReason drained = scheduler.run(1_s);
    const Time drained_at = scheduler.now();
    part.post(1_s);
    const StopReason reached = scheduler.run(1_s);

    CHECK(empty == StopReason::drained);
    CHECK(empty_at == 0_ps);
    CHECK(drained == StopReason::drained);
    CHECK(drained_at == 30_us);
    CHECK(kernel_now() == 1_s);
    CHECK(reached == StopReason::reached);
}

TEST_CASE("the model is not drained while a foreign process may still post") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    Foreign foreign{"foreign", [&] { part.post(scheduler.now() + 5_us); }};
    foreign.wake.notify(to_sc(20_us));
    part.post(10_us);

    const StopReason reason = scheduler.run(1_s);

    CHECK(reason == StopReason::drained);
    CHECK(part.times == std::vector<Time>{10_us, 25_us});
}

TEST_CASE("events beyond the end wait for a later run") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    part.post(1_s);

    const StopReason first = scheduler.run(10_ms);
    const StopReason second = scheduler.run(2_s);

    CHECK(first == StopReason::reached);
    CHECK(second == StopReason::drained);
    CHECK(part.times == std::vector<Time>{1_s});
}

TEST_CASE("sc_stop() and sc_pause() of a foreign process end the run as stopped") {
    const FreshKernel kernel;
    const Engine engine = any_engine();
    Scheduler scheduler{"scheduler", engine};
    Part part{scheduler};
    bool pause = true;
    Foreign foreign{"foreign", [&] { pause ? sc_core::sc_pause() : sc_core::sc_stop(); }};
    foreign.wake.notify(to_sc(15_us));
    part.post(10_us);
    part.post(20_us);
    part.post(40_us);

    const StopReason paused = scheduler.run(1_s);
    const std::size_t done = part.times.size();
    pause = false;
    foreign.wake.notify(to_sc(15_us));
    const StopReason ended = scheduler.run(1_s);
    const StopReason after = scheduler.run(2_s);

    CHECK(paused == StopReason::stopped);
    CHECK(done == 1);
    CHECK(ended == StopReason::stopped);
    CHECK(after == StopReason::stopped);
    CHECK(part.times == std::vector<Time>{10_us, 20_us});
}

TEST_CASE("a foreign process notified for an instant acts before the model's later events, and those of the instant") {
    const FreshKernel kernel;
    const auto [engine, quantum] = GENERATE(
        table<Engine, Duration>({{Engine::run_ahead, kNever}, {Engine::run_ahead, 7_us}, {Engine::strict, kNever}}));
    const auto delay = GENERATE(as<Duration>{}, 0_ps, 1_ps, 4_us, 5_us);
    Scheduler scheduler{"scheduler", engine, quantum};
    std::size_t done_before = 0;
    Time acted_at{};
    Part part{scheduler};
    Foreign foreign{"foreign", [&] {
                        acted_at = scheduler.now();
                        done_before = part.times.size();
                        part.post(scheduler.now(), 9);
                    }};
    Part caller{scheduler,
                [&](std::uint32_t, std::uint32_t) { scheduler.notify_foreign(foreign.wake, scheduler.now() + delay); }};
    part.post(1_us, 1);
    caller.post(10_us);
    part.post(10_us, 2);
    part.post(15_us, 3);

    scheduler.run(1_ms);

    CHECK(acted_at == 10_us + delay);
    CHECK(done_before == (delay == 0_ps ? 1 : 2));
    if (delay == 0_ps) {
        CHECK(part.whats == std::vector<std::uint32_t>{1, 2, 9, 3});
    } else if (delay < 5_us) {
        CHECK(part.whats == std::vector<std::uint32_t>{1, 2, 9, 3});
    } else {
        CHECK(part.whats == std::vector<std::uint32_t>{1, 2, 3, 9});
    }
}

TEST_CASE("everything foreign at an instant settles, over delta cycles, before the model's events of that instant") {
    const FreshKernel kernel;
    const Engine engine = GENERATE(Engine::run_ahead, Engine::strict);
    Scheduler scheduler{"scheduler", engine};
    int deltas = 0;
    int deltas_seen = -1;
    Part part{scheduler, [&](std::uint32_t, std::uint32_t) { deltas_seen = deltas; }};
    Foreign foreign{"foreign", [&] {
                        if (++deltas < 5) {
                            foreign.wake.notify(sc_core::SC_ZERO_TIME);
                        }
                    }};
    part.post(10_us);
    foreign.wake.notify(to_sc(10_us));

    scheduler.run(1_ms);

    CHECK(deltas_seen == 5);
}

TEST_CASE("the quantum bounds how far the model is ahead of the kernel; 0 and the strict engine keep it in step") {
    const FreshKernel kernel;
    const auto [engine, quantum, bound] = GENERATE(table<Engine, Duration, Duration>({
        {Engine::run_ahead, 400_us, 400_us},
        {Engine::run_ahead, 25_us, 25_us},
        {Engine::run_ahead, 0_ps, 0_ps},
        {Engine::strict, 400_us, 0_ps},
    }));
    Scheduler scheduler{"scheduler", engine, quantum};
    Duration furthest{};
    RandomModel model{scheduler, RandomModel::Ties::many};
    model.also = [&] { furthest = std::max(furthest, scheduler.now() - kernel_now()); };

    scheduler.run(100_ms);

    CHECK(furthest <= bound);
    CHECK(furthest >= bound / 2);
}

TEST_CASE("without foreign processes a whole run takes one activation, whatever idle hours it spans") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler"};
    int hours = 0;
    Part part{scheduler, [&](std::uint32_t, std::uint32_t) {
                  if (++hours < 1000) {
                      part.post(scheduler.now() + 3600_s);
                  }
              }};
    part.post(0_ps);

    scheduler.run(4'000'000_s);

    CHECK(hours == 1000);
    CHECK(scheduler.now() == 999 * 3600_s);
    CHECK(sc_core::sc_delta_count() <= 3);
}

TEST_CASE("a run in which nothing happens is no reason for SystemC to complain") {
    const FreshKernel kernel;
    static int reports = 0;
    reports = 0;
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report&, const sc_core::sc_actions& actions) {
        reports += (actions & sc_core::SC_DISPLAY) != 0 ? 1 : 0;
    });
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};

    scheduler.run(1_ms);
    part.post(1_s);
    scheduler.run(1_ms);
    scheduler.run(1_ms);
    part.post(1_ms);
    scheduler.run(1_ms);
    scheduler.run(2_ms);

    sc_core::sc_report_handler::set_handler(nullptr);
    CHECK(reports == 0);
    CHECK(part.times == std::vector<Time>{1_ms});
}

TEST_CASE("a test bench that calls sc_start() itself gets the model in step with the kernel") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    bool in_step = true;
    Part part{scheduler, [&](std::uint32_t, std::uint32_t) {
                  in_step = in_step && scheduler.now() == kernel_now();
                  part.post(scheduler.now() + 10_us);
                  if (kernel_now() < 95_us) {
                      scheduler.stop();  // it is not the scheduler's run
                  }
              }};
    part.post(10_us);

    sc_core::sc_start(to_sc(95_us));
    const std::size_t by_kernel = part.times.size();
    const bool always_in_step = in_step;
    const StopReason reason = scheduler.run(1_ms);
    sc_core::sc_start(to_sc(95_us));

    CHECK(by_kernel == 9);
    CHECK(always_in_step);
    CHECK(reason == StopReason::reached);
    CHECK(scheduler.now() == 1095_us);
    CHECK(part.times.size() == 109);
}

TEST_CASE("two schedulers in one simulation are refused") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler"};
    Scheduler other{"other"};
    const ChecksThrow checks_throw;

    CHECK_THROWS(scheduler.run(1_us));
}

TEST_CASE("events() counts what happened, and each sink hears only of its own events") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    std::uint32_t sum = 0;
    Part a{scheduler, [&](std::uint32_t, std::uint32_t data) { sum += data; }};
    Part b{scheduler};
    a.post(1_us, 65535, 0xffff'fff0U);
    a.post(3_us, 1, 3);
    b.post(2_us, 2);

    scheduler.run(1_ms);

    CHECK(scheduler.events() == 3);
    CHECK(a.whats == std::vector<std::uint32_t>{65535, 1});
    CHECK(b.whats == std::vector<std::uint32_t>{2});
    CHECK(sum == 0xffff'fff3U);
}

TEST_CASE("posting into the past, or ending a run there, is a bug of the model") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler};
    part.post(10_us);
    scheduler.run(10_us);
    const ChecksThrow checks_throw;

    CHECK_THROWS(part.post(10_us - 1_ps));
    CHECK_THROWS(scheduler.run(10_us - 1_ps));
    CHECK_NOTHROW(part.post(10_us));
}

TEST_CASE("an event that posts into the past is a bug of the model") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", any_engine()};
    Part part{scheduler, [&](std::uint32_t, std::uint32_t) { part.post(scheduler.now() - 1_ps); }};
    part.post(10_us);
    const ChecksThrow checks_throw;

    CHECK_THROWS_WITH(scheduler.run(1_ms), Catch::Contains("a check failed"));
}

TEST_CASE("an event that notifies a foreign event behind the scheduler's back is a bug of the model") {
    const FreshKernel kernel;
    const auto how = GENERATE(0, 1, 2);
    Scheduler scheduler{"scheduler"};
    Foreign foreign{"foreign", [] {}};
    Part part{scheduler, [&](std::uint32_t what, std::uint32_t) {
                  if (what == 1 && how == 0) {
                      foreign.wake.notify(to_sc(5_us));  // 5 us after the kernel's time, not after ours
                  } else if (what == 1 && how == 1) {
                      foreign.wake.notify(sc_core::SC_ZERO_TIME);
                  } else if (what == 1) {
                      foreign.wake.notify();
                  }
              }};
    part.post(1_us, 0);
    part.post(10_us, 1);
    part.post(20_us, 2);
    const ChecksThrow checks_throw;

    CHECK_THROWS_WITH(scheduler.run(1_ms), Catch::Contains("a check failed"));
}

TEST_CASE("the kernel engine says so when it has too few cells, and needs no more than can be pending") {
    const FreshKernel kernel;
    Scheduler scheduler{"scheduler", Engine::kernel, kNever, 2};
    int left = 100;
    Part part{scheduler, [&](std::uint32_t, std::uint32_t) {
                  if (--left > 0) {
                      part.post(scheduler.now() + 1_us);
                  }
              }};
    part.post(1_us);
    part.post(1_us);

    {
        const ChecksThrow checks_throw;
        CHECK_THROWS(part.post(1_us));
    }
    scheduler.run(1_ms);

    CHECK(left <= 0);
}

}  // namespace ftlab::controller
