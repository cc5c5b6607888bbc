// SPDX-License-Identifier: MIT
#include "controller/scheduler.h"

#include <algorithm>
#include <limits>
#include <string>

#include "controller/sc_time.h"

namespace ftlab::controller {

namespace {

constexpr Duration kTick{1};
constexpr Time kNothing{-1};  // as a limit: no event may happen

/// When the kernel will be busy next, or kNever; the kernel's present where something is still to do in it.
Time next_kernel_activity(const sc_core::sc_simcontext* context, Time kernel) {
    if (sc_core::sc_pending_activity_at_current_time(context)) {
        return kernel;
    }
    if (!sc_core::sc_pending_activity_at_future_time(context)) {
        return kNever;
    }
    return from_sc(sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity(context));
}

/// A run in which nothing happens is no reason for SystemC to warn.
class QuietWithoutActivity {
public:
    QuietWithoutActivity() : actions_{act(sc_core::SC_DO_NOTHING)} {}
    ~QuietWithoutActivity() { act(actions_); }
    QuietWithoutActivity(const QuietWithoutActivity&) = delete;
    QuietWithoutActivity& operator=(const QuietWithoutActivity&) = delete;

private:
    static sc_core::sc_actions act(sc_core::sc_actions actions) {
        return sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_WARNING,
                                                       actions);
    }

    sc_core::sc_actions actions_;
};

void advance_kernel(Time to) {
    if (kernel_now() < to) {
        sc_core::sc_start(to_sc(to - kernel_now()), sc_core::SC_RUN_TO_TIME);
    }
}

std::size_t count_schedulers(const std::vector<sc_core::sc_object*>& objects) {
    std::size_t count = 0;
    for (const sc_core::sc_object* object : objects) {
        count += count_schedulers(object->get_child_objects());
        count += dynamic_cast<const Scheduler*>(object) != nullptr ? 1 : 0;
    }
    return count;
}

bool simulation_ended() { return sc_core::sc_get_status() == sc_core::SC_STOPPED; }

}  // namespace

/// One pending event of Engine::kernel.
class Scheduler::KernelCell final : public sc_core::sc_module {
public:
    KernelCell(const sc_core::sc_module_name& name, Scheduler& scheduler) : sc_module{name}, scheduler_{scheduler} {
        SC_HAS_PROCESS(KernelCell);
        SC_METHOD(activate);
        sensitive << wake_;
        dont_initialize();
    }

    void arm(const Event& event) {
        event_ = event;
        wake_.notify(to_sc(event.at - kernel_now()));
    }

private:
    void activate() {
        if (scheduler_.stopping_) {
            wake_.notify(sc_core::SC_ZERO_TIME);  // remains pending: the first of the next run()
            return;
        }
        const Event event = event_;
        scheduler_.free_cells_.push_back(this);
        scheduler_.now_ = event.at;
        ++scheduler_.events_;
        scheduler_.handle(event);
    }

    Scheduler& scheduler_;
    Event event_{};
    sc_core::sc_event wake_;
};

Scheduler::Scheduler(const sc_core::sc_module_name& name, Engine engine, Duration quantum, std::size_t kernel_cells)
    : sc_module{name}, engine_{engine}, quantum_{engine == Engine::strict ? Duration::zero() : quantum} {
    FTLAB_CHECK(sc_core::sc_time(1, sc_core::SC_PS).value() == 1, "the kernel's time resolution is not 1 ps");
    FTLAB_CHECK(quantum >= Duration::zero(), "the quantum is negative");
    SC_HAS_PROCESS(Scheduler);
    SC_METHOD(activate);
    sensitive << wake_;
    dont_initialize();
    if (engine_ == Engine::kernel) {
        for (std::size_t i = 0; i < kernel_cells; ++i) {
            cells_.push_back(std::make_unique<KernelCell>(("cell_" + std::to_string(i)).c_str(), *this));
            free_cells_.push_back(cells_.back().get());
        }
    }
}

Scheduler::~Scheduler() = default;

void Scheduler::start_of_simulation() {
    // Each would wait for the other to settle.
    FTLAB_CHECK(count_schedulers(sc_core::sc_get_top_level_objects()) == 1, "a simulation has one scheduler");
}

SinkId Scheduler::attach(EventSink& sink) {
    FTLAB_CHECK(sinks_.size() < SinkId::kInvalid, "too many event sinks");
    sinks_.push_back(&sink);
    return SinkId{static_cast<std::uint16_t>(sinks_.size() - 1)};
}

Time Scheduler::kernel_time() const { return std::max(now_, kernel_now()); }

void Scheduler::post_from_outside(Time at, SinkId sink, std::uint16_t what, std::uint32_t data) {
    FTLAB_CHECK(at >= now(), "an event was posted in the past");
    const Event event{at, sequence_++, data, sink.value, what};
    if (engine_ == Engine::kernel) [[unlikely]] {
        post_to_kernel(event);
        return;
    }
    calendar_.push(event);
    wake_for_next();
}

void Scheduler::post_to_kernel(Event event) {
    FTLAB_CHECK(!free_cells_.empty(), "more events are pending than the kernel engine has cells");
    KernelCell* const cell = free_cells_.back();
    free_cells_.pop_back();
    cell->arm(event);
}

void Scheduler::wake_for_next() {
    const Time next = calendar_.next();
    if (next < wake_at_) {
        wake_.notify(to_sc(next - kernel_now()));  // replaces a later notification
        wake_at_ = next;
    }
}

Time Scheduler::furthest(Time kernel) const {
    // Within run() until_ is not before kernel; sc_start() by someone else keeps in step.
    const Time end = quantum_ < until_ - kernel ? kernel + quantum_ : std::max(until_, kernel);
    // Before kernel where something foreign is still to do in this instant: that comes first, we in a later delta
    // cycle.
    return std::min(end, next_kernel_activity(simcontext(), kernel) - kTick);
}

void Scheduler::activate() {
    wake_at_ = kNever;
    const Time kernel = kernel_now();
    limit_ = stopping_ ? kNothing : furthest(kernel);
    handling_ = true;
    Event event{};
    while (calendar_.pop(limit_, event)) {
        now_ = event.at;
        ++events_;
        handle(event);
    }
    handling_ = false;
    FTLAB_CHECK(next_kernel_activity(simcontext(), kernel) >= now_,
                "an event of the model notified a sc_event directly; notify_foreign() knows how far the kernel lags");
    wake_for_next();
}

void Scheduler::notify_foreign(sc_core::sc_event& event, Time at) {
    FTLAB_CHECK(at >= now(), "a foreign event was notified in the past");
    event.notify(to_sc(at - kernel_now()));
    limit_ = std::min(limit_, at - kTick);
}

void Scheduler::stop() {
    if (!running_) {
        return;
    }
    stopping_ = true;
    limit_ = kNothing;
    sc_core::sc_pause();
}

StopReason Scheduler::run(Time until) {
    FTLAB_CHECK(!running_, "the scheduler is running already");
    FTLAB_CHECK(until >= now(), "the run would end in the past");
    if (simulation_ended()) {
        return StopReason::stopped;
    }
    const QuietWithoutActivity quiet;
    running_ = true;
    stopping_ = false;
    until_ = until;
    if (until > kernel_now()) {
        sc_core::sc_start(to_sc(until - kernel_now()), sc_core::SC_EXIT_ON_STARVATION);
    } else if (!sc_core::sc_start_of_simulation_invoked()) {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    // sc_start(t) notifies events at its very end, but leaves the processes that wait for them to the next call.
    while (!stopping_ && !simulation_ended() && kernel_now() == until &&
           sc_core::sc_pending_activity_at_current_time(simcontext())) {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    running_ = false;
    return simulation_ended() ? StopReason::stopped : catch_up();
}

StopReason Scheduler::catch_up() {
    advance_kernel(now_);  // there is nothing for the kernel to do until then
    if (stopping_) {
        return StopReason::stopped;
    }
    if (kernel_now() == until_) {
        return StopReason::reached;
    }
    const Time next = next_kernel_activity(simcontext(), kernel_now());
    if (next == kNever) {
        return StopReason::drained;
    }
    if (next <= until_) {
        return StopReason::stopped;  // by a foreign sc_pause()
    }
    advance_kernel(until_);
    return StopReason::reached;
}

}  // namespace ftlab::controller
