// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "controller/calendar.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/base/units.h"

namespace ftlab::controller {

/// Receives model events.  `what` and `data` are the receiver's own business.
class EventSink {
public:
    virtual void on_event(std::uint32_t what, std::uint32_t data) = 0;

protected:
    ~EventSink() = default;
};

using SinkId = Id<struct SinkTag, std::uint16_t>;

enum class StopReason {
    reached,  ///< everything up to and at the end has happened; now() is the end
    stopped,  ///< by stop(), or by sc_stop() or sc_pause() of a foreign process
    drained,  ///< neither the model nor the kernel has an event left; now() is the time of the last one
};

/// The model's clock and all its events.  One per simulation.
///
/// Between foreign kernel events nothing outside the model can look at it, so the model need not return to the kernel
/// for each of its own events: it runs ahead of the kernel's clock inside one activation of one SC_METHOD, up to the
/// next foreign event, the quantum or the end of the run.  Foreign SystemC modules may read the model and post events
/// at any time; they find its state at, and now() equal to, the kernel's time.
///
/// Events happen in the order of (time, order of posting).  At one instant everything foreign settles first, including
/// delta cycles; then the model's events follow.  So the order is the same for run_ahead and strict at any quantum.
///
/// Rule for model code: within on_event() a foreign sc_event is notified by notify_foreign() only, and nothing else of
/// the kernel is touched (sc_signal, wait, sc_time_stamp), unless the engine is strict.  Notifying directly fails a
/// check, and so does async_request_update() by another thread.
///
/// Invariants:
/// (1) kernel time <= now(), with equality outside on_event();
/// (2) outside an activation, wake_ is notified for the earliest event of the calendar.
class Scheduler final : public sc_core::sc_module {
public:
    enum class Engine {
        run_ahead,  ///< the fast one
        strict,     ///< one activation an instant: kernel time equals model time always, as VCD tracing needs
        kernel,     ///< one kernel event per posted event, for comparison in tests: ties come in the kernel's order
    };

    /// `quantum` bounds how far run_ahead is ahead of the kernel's clock; with 0 it is as `strict`.  `kernel_cells` is
    /// the largest number of events that can be pending with Engine::kernel.
    explicit Scheduler(const sc_core::sc_module_name& name,
                       Engine engine = Engine::run_ahead,
                       Duration quantum = kNever,
                       std::size_t kernel_cells = 4096);
    ~Scheduler() override;

    /// `sink` must outlive the last run().
    SinkId attach(EventSink& sink);

    /// Model time: that of the event being handled, else the kernel's.
    [[nodiscard]] Time now() const { return handling_ ? now_ : kernel_time(); }

    /// Calls on_event(what, data) of `sink` at `at` >= now().  At the same instant after all that was posted before.
    void post(Time at, SinkId sink, std::uint16_t what, std::uint32_t data) {
        if (!handling_ || at < now_) [[unlikely]] {
            post_from_outside(at, sink, what, data);
            return;
        }
        calendar_.push({at, sequence_++, data, sink.value, what});
    }

    /// Notifies an event of a foreign SystemC module at `at` >= now(): before all later events of the model, and before
    /// those of this instant that have not happened yet.  As always in SystemC an earlier pending notification wins.
    void notify_foreign(sc_core::sc_event& event, Time at);

    /// Runs the model until `until` (events at exactly `until` are included), until stop(), or until no event is left.
    /// `until` must not lie before now(); may be called again and again.  After sc_stop() it returns at once.  A test
    /// bench that calls sc_start() itself is served too, with kernel time equal to model time.
    StopReason run(Time until);

    /// Ends run() after the event being handled; what is pending stays so.  Outside run() it does nothing.
    void stop();

    /// Model events handled so far.
    [[nodiscard]] std::uint64_t events() const { return events_; }

private:
    class KernelCell;

    void start_of_simulation() override;
    void activate();
    void handle(const Event& event) { sinks_[event.sink]->on_event(event.what, event.data); }
    [[nodiscard]] Time kernel_time() const;
    [[nodiscard]] Time furthest(Time kernel) const;
    void post_from_outside(Time at, SinkId sink, std::uint16_t what, std::uint32_t data);
    void post_to_kernel(Event event);
    void wake_for_next();
    StopReason catch_up();

    Calendar calendar_;
    std::vector<EventSink*> sinks_;
    std::uint64_t sequence_ = 0;
    std::uint64_t events_ = 0;
    Time now_{};             // of the latest event handled
    Time limit_{};           // events up to here may happen in this activation
    Time until_{};           // the end of run()
    Time wake_at_ = kNever;  // when wake_ is notified
    bool handling_ = false;  // inside activate(), where now_ is the time; never with Engine::kernel
    bool running_ = false;
    bool stopping_ = false;
    Engine engine_;
    Duration quantum_;
    sc_core::sc_event wake_;
    std::vector<std::unique_ptr<KernelCell>> cells_;
    std::vector<KernelCell*> free_cells_;
};

}  // namespace ftlab::controller
