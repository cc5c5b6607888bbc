// SPDX-License-Identifier: MIT
#include "sim/host/driver.h"

#include <fmt/format.h>

#include "sim/base/check.h"

namespace ftlab::host {

using namespace literals;

namespace {
// No drive leaves a command unanswered for longer: operating systems reset the link after 30 s.
constexpr std::uint32_t kMostSilentSeconds = 600;
constexpr std::uint64_t kInterruptMask = 0xffff;

controller::HostOp to_host_op(workload::Op op) {
    switch (op) {
        case workload::Op::read:
            return controller::HostOp::read;
        case workload::Op::write:
            return controller::HostOp::write;
        case workload::Op::trim:
            return controller::HostOp::trim;
        case workload::Op::flush:
            return controller::HostOp::flush;
    }
    return controller::HostOp::read;
}

bool is_queued(workload::Op op) { return op == workload::Op::read || op == workload::Op::write; }
}  // namespace

HostDriver::HostDriver(const sc_core::sc_module_name& name,
                       controller::Scheduler& scheduler,
                       const device::HostProfile& profile)
    : sc_core::sc_module{name}, scheduler_{scheduler}, profile_{profile}, sink_{scheduler.attach(*this)} {
    socket.register_nb_transport_bw(this, &HostDriver::answered);
    for (std::uint32_t i = 0; i < kTags; ++i) {
        Tag& tag = tags_[i];
        tag.command.tag = CommandId{i};
        tag.extension.command = &tag.command;
        tag.payload.set_extension(&tag.extension);  // permanent: the payload never leaves its tag
        tag.payload.set_streaming_width(4);
        tag.payload.set_byte_enable_ptr(nullptr);
    }
}

HostDriver::~HostDriver() {
    for (Tag& tag : tags_) {
        tag.payload.clear_extension(&tag.extension);  // the payload would delete it
    }
}

void HostDriver::begin_phase(const Watch& watch) {
    watch_ = &watch;
    stats_ = PhaseStats{};
    stats_.begin = scheduler_.now();
    sample_ = Sample{.begin = stats_.begin, .end = stats_.begin};
    ++phase_;
    outstanding_ = 0;
    issued_bytes_ = 0;
    parked_count_ = 0;
    issuing_ = true;
    barrier_ = false;
    arrival_timer_ = false;
    completed_at_last_second_ = 0;
    silent_seconds_ = 0;
    scheduler_.post(stats_.begin + 1_s, sink_, second, phase_);
}

PhaseStats HostDriver::run(const Job& job, const Watch& watch) {
    FTLAB_CHECK(job.queue_depth >= 1 && job.queue_depth <= kTags, "the queue depth is one that NCQ has tags for");
    job_ = job;
    begin_phase(watch);
    if (job.duration != kNever) {
        scheduler_.post(stats_.begin + job.duration, sink_, time_up, phase_);
    }
    requests_.emplace(*job.source);
    // An open loop's arrivals are when the driver has submitted the request.
    const Time first = stats_.begin + (job.open_loop ? Duration{0} : profile_.submit);
    for (std::uint32_t tag = 0; tag < job.queue_depth; ++tag) {
        scheduler_.post(first, sink_, submit, phase_ * kTags + tag);
    }
    play();
    return stats_;
}

PhaseStats HostDriver::idle(Duration duration, const Watch& watch) {
    begin_phase(watch);
    scheduler_.post(stats_.begin + duration, sink_, time_up, phase_);
    play();
    return stats_;
}

void HostDriver::play() {
    const controller::StopReason why = scheduler_.run(kNever - 1_s);
    requests_.reset();
    if (why != controller::StopReason::stopped || outstanding_ > 0) {
        throw Stalled{fmt::format("the simulation stalled at {:.6f} s with {} commands unanswered",
                                  to_seconds(scheduler_.now()), outstanding_)};
    }
    stats_.drained = scheduler_.now();
}

void HostDriver::on_event(std::uint32_t what, std::uint32_t data) {
    switch (what) {
        case submit:
            if (data / kTags == phase_) {
                tags_[data % kTags].ready = scheduler_.now();
                try_issue(data % kTags);
            }
            break;
        case arrival:
            if (data == phase_) {
                arrival_timer_ = false;
                wake_parked();
            }
            break;
        case second:
            if (data == phase_) {
                on_second();
            }
            break;
        case time_up:
            if (data == phase_) {
                stop_issuing();
            }
            break;
        default:
            break;
    }
}

void HostDriver::stop_issuing() {
    if (!issuing_) {
        return;
    }
    issuing_ = false;
    stats_.end = scheduler_.now();
    for (std::size_t i = 0; i < kOps; ++i) {
        stats_.ios_by_end[i] = stats_.ops[i].ios;
        stats_.bytes_by_end[i] = stats_.ops[i].bytes;
    }
    if (sample_.begin != stats_.end) {
        take_sample(stats_.end);
    }
    if (outstanding_ == 0) {
        scheduler_.stop();
    }
}

void HostDriver::take_sample(Time end) {
    sample_.end = end;
    if (watch_->second) {
        watch_->second(sample_);
    }
    sample_ = Sample{.begin = end, .end = end};
}

void HostDriver::on_second() {
    const Time now = scheduler_.now();
    if (issuing_) {
        take_sample(now);
    }
    if (issuing_ && watch_->interrupted && watch_->interrupted()) {
        stats_.interrupted = true;
        stop_issuing();
    }
    silent_seconds_ = stats_.completed == completed_at_last_second_ && outstanding_ > 0 ? silent_seconds_ + 1 : 0;
    completed_at_last_second_ = stats_.completed;
    if (silent_seconds_ > kMostSilentSeconds) {
        scheduler_.stop();
        return;
    }
    scheduler_.post(now + 1_s, sink_, second, phase_);
}

void HostDriver::try_issue(std::uint32_t tag) {
    if (!issuing_ || barrier_) {
        if (issuing_) {
            park(tag);
        }
        return;
    }
    const workload::Request* request = requests_->front();
    const bool done = request == nullptr || stats_.issued >= job_.max_ios || issued_bytes_ >= job_.max_bytes;
    if (done) {
        // Parked tags have nothing to do any more either; the last answer ends the phase.
        stats_.exhausted = true;
        if (outstanding_ == 0) {
            stop_issuing();
        }
        return;
    }
    const Time now = scheduler_.now();
    if (job_.open_loop && stats_.begin + request->arrival > now) {
        park(tag);
        if (!arrival_timer_) {
            arrival_timer_ = true;
            scheduler_.post(stats_.begin + request->arrival, sink_, arrival, phase_);
        }
        return;
    }
    const bool queued = is_queued(request->op);
    if (!queued && outstanding_ > 0) {
        park(tag);
        return;
    }
    barrier_ = !queued;
    const workload::Request taken = *request;
    requests_->pop();
    issue(tag, taken);
    // In an open loop one arrival may be followed by more at the same instant, for the tags that are parked.
    if (job_.open_loop && !barrier_ && parked_count_ > 0) {
        wake_parked();
    }
}

void HostDriver::wake_parked() {
    while (parked_count_ > 0 && !barrier_) {
        const std::uint32_t tag = parked_[0];
        --parked_count_;
        for (std::uint32_t i = 0; i < parked_count_; ++i) {
            parked_[i] = parked_[i + 1];
        }
        const std::uint32_t before = parked_count_;
        try_issue(tag);
        if (parked_count_ > before) {
            return;  // it has to wait again, and so would the others
        }
    }
}

void HostDriver::issue(std::uint32_t index, const workload::Request& request) {
    Tag& tag = tags_[index];
    const Time now = scheduler_.now();
    controller::HostCommand& c = tag.command;
    c.op = to_host_op(request.op);
    c.fua = request.fua;
    c.first = request.first.value;
    c.count = request.lbas;
    c.stamps.start(job_.open_loop ? std::min(now, stats_.begin + request.arrival) : tag.ready);
    c.stamps.charge(controller::Cause::host_queue, now);
    ++stats_.issued;
    ++outstanding_;
    issued_bytes_ += request.size().count;
    const bool write = request.op == workload::Op::write;
    tag.payload.set_command(write                              ? tlm::TLM_WRITE_COMMAND
                            : request.op == workload::Op::read ? tlm::TLM_READ_COMMAND
                                                               : tlm::TLM_IGNORE_COMMAND);
    tag.payload.set_address(request.first.value * kLbaSize.count);
    tag.payload.set_data_length(static_cast<unsigned>(std::min<std::uint64_t>(request.size().count, 0xffffffffU)));
    tag.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(tag.payload, phase, delay);
}

tlm::tlm_sync_enum HostDriver::answered(tlm::tlm_generic_payload& payload,
                                        tlm::tlm_phase& /*phase*/,
                                        sc_core::sc_time& /*delay*/) {
    const controller::HostCommand& c = *payload.get_extension<controller::CommandExtension>()->command;
    const Time now = scheduler_.now();
    const auto op = static_cast<std::size_t>(c.op);
    const std::uint64_t bytes = c.count * kLbaSize.count;
    OpStats& s = stats_.ops[op];
    ++s.ios;
    s.bytes += bytes;
    s.latency.add(now - c.stamps.begin());
    for (std::size_t i = 0; i < controller::kCauses; ++i) {
        s.causes[i] += c.stamps.all()[i];
    }
    ++sample_.ios[op];
    sample_.bytes[op] += bytes;
    ++stats_.completed;
    --outstanding_;
    barrier_ = false;
    if (!issuing_) {
        if (outstanding_ == 0) {
            scheduler_.stop();
        }
        return tlm::TLM_COMPLETED;
    }
    if ((stats_.completed & kInterruptMask) == 0 && watch_->interrupted && watch_->interrupted()) {
        stats_.interrupted = true;
        stop_issuing();
        return tlm::TLM_COMPLETED;
    }
    if (outstanding_ == 0 && parked_count_ > 0 && !arrival_timer_) {
        wake_parked();
    }
    if (job_.open_loop) {
        try_issue(c.tag.value);
    } else {
        scheduler_.post(now + profile_.complete + profile_.submit, sink_, submit, phase_ * kTags + c.tag.value);
    }
    return tlm::TLM_COMPLETED;
}

}  // namespace ftlab::host
