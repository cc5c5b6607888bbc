// SPDX-License-Identifier: MIT
#include "controller/flash/channel.h"

#include <algorithm>
#include <utility>

namespace ftlab::controller {

using namespace literals;

void FlashParams::describe(config::Fields<FlashParams>& f) {
    f("cache_program", &FlashParams::cache_program, "data of the next program may move in while one is programming");
    f("cache_read", &FlashParams::cache_read,
      "reads that wait for one die are chained: the array senses the next page while the last one is read out");
    f("reads_in_a_row", &FlashParams::reads_in_a_row, "reads a die serves before a waiting program or erase")
        .range(1, 1'000'000);
    f("bus_reads_first", &FlashParams::bus_reads_first, "transfers of reads overtake others on the bus");
    f("programs_per_die", &FlashParams::programs_per_die, "programs that may be outstanding for a die").range(1, 64);
    f("ecc_latency", &FlashParams::ecc_latency, "decoding delay of clean data; pipelined, occupies nothing")
        .at_most(1_s);
}

FlashChannel::FlashChannel(const sc_core::sc_module_name& name,
                           Scheduler& scheduler,
                           const nand::Timing& timing,
                           const FlashParams& params,
                           std::uint32_t dies,
                           Flights& flights,
                           FlashDoneInterface& done)
    : sc_core::sc_module{name},
      scheduler_{scheduler},
      timing_{timing},
      params_{params},
      flights_{flights},
      done_{done},
      sink_{scheduler.attach(*this)},
      dies_(dies),
      waiting_(std::size_t{dies} * 2) {}

void FlashChannel::push(Queue& queue, std::uint32_t flight) {
    flights_[flight].next = kNone;
    (queue.tail != kNone ? flights_[queue.tail].next : queue.head) = flight;
    queue.tail = flight;
}

std::uint32_t FlashChannel::pop(Queue& queue) {
    const std::uint32_t flight = queue.head;
    queue.head = flights_[flight].next;
    queue.tail = queue.head == kNone ? kNone : queue.tail;
    return flight;
}

void FlashChannel::submit(std::uint32_t die, std::uint32_t flight) {
    Flight& f = flights_[flight];
    f.since = scheduler_.now();
    push(f.op.kind == ftl::OpKind::read ? dies_[die].reads : dies_[die].writes, flight);
    advance(die);
}

void FlashChannel::advance(std::uint32_t die) {
    Die& d = dies_[die];
    std::uint32_t out = kNone;
    if (d.sensed != kNone) {
        if (cache_free(d)) {
            d.data_out_requested = true;
            out = std::exchange(d.sensed, kNone);
        } else {
            wake_when_cache_is_free(die);
        }
    }
    if (out != kNone && !params_.cache_read) {
        request(die, out, Transfer::data_out);
    }
    // Not before: a grant comes back here.
    const bool reads_turn = !d.reads.empty() && (d.writes.empty() || d.reads_in_a_row < params_.reads_in_a_row);
    if (reads_turn && !d.command_requested) {
        start_read(die);
    }
    if (out != kNone && params_.cache_read) {
        request(die, out, Transfer::data_out);
    }
    if (!reads_turn && !d.writes.empty() && !d.command_requested) {
        start_write(die);
    }
}

void FlashChannel::start_read(std::uint32_t die) {
    Die& d = dies_[die];
    if (d.array_op != kNone || d.sensed != kNone || d.data_in_requested || d.loaded != kNone) {
        return;
    }
    const std::uint32_t flight = pop(d.reads);
    Flight& f = flights_[flight];
    f.die_wait = scheduler_.now() - f.since;
    f.since = scheduler_.now();
    d.reads_in_a_row += d.writes.empty() ? 0U : 1U;
    d.command_requested = true;
    request(die, flight, Transfer::read_command);
}

void FlashChannel::start_write(std::uint32_t die) {
    Die& d = dies_[die];
    const bool array_free = d.array_op == kNone && d.sensed == kNone;
    if (flights_[d.writes.head].op.kind == ftl::OpKind::erase) {
        if (array_free && !d.data_in_requested && d.loaded == kNone) {
            d.reads_in_a_row = 0;
            d.command_requested = true;
            request(die, pop(d.writes), Transfer::erase_command);
        }
        return;
    }
    const bool overlap =
        params_.cache_program && d.array_op != kNone && flights_[d.array_op].op.kind == ftl::OpKind::program;
    if (!array_free && !overlap) {
        return;
    }
    if (cache_free(d)) {
        d.reads_in_a_row = 0;
        d.data_in_requested = true;
        request(die, pop(d.writes), Transfer::data_in);
    } else {
        wake_when_cache_is_free(die);
    }
}

void FlashChannel::wake_when_cache_is_free(std::uint32_t die) {
    Die& d = dies_[die];
    // While a transfer is only requested, or a program is loaded, the grant or the array's end comes back here.
    if (!d.wake_pending && scheduler_.now() < d.cache_free_at) {
        d.wake_pending = true;
        scheduler_.post(d.cache_free_at, sink_, wake, die);
    }
}

void FlashChannel::request(std::uint32_t die, std::uint32_t flight, Transfer transfer) {
    const Request asked{flight, static_cast<std::uint16_t>(die), transfer};
    if (waiting_count_ == 0 && scheduler_.now() >= bus_free_at_) {
        grant(asked);
        return;
    }
    const auto size = static_cast<std::uint32_t>(waiting_.size());
    const auto is_read = [](Transfer t) { return t == Transfer::read_command || t == Transfer::data_out; };
    std::uint32_t at = waiting_count_++;
    if (params_.bus_reads_first && is_read(transfer)) {
        // Ahead of everything that is not a read; the ring is about as short as the channel has dies.
        for (; at > 0 && !is_read(waiting_[(waiting_head_ + at - 1) % size].transfer); --at) {
            waiting_[(waiting_head_ + at) % size] = waiting_[(waiting_head_ + at - 1) % size];
        }
    }
    waiting_[(waiting_head_ + at) % size] = asked;
    if (!bus_watched_) {
        bus_watched_ = true;
        scheduler_.post(bus_free_at_, sink_, bus_free, 0);
    }
}

void FlashChannel::serve_bus() {
    // A die that waits for the end of this very transfer asks before the next one is granted.
    if (dies_[bus_die_].wake_pending) {
        advance(bus_die_);
    }
    bus_watched_ = false;
    const Request next = waiting_[waiting_head_];
    waiting_head_ = waiting_head_ + 1 == waiting_.size() ? 0 : waiting_head_ + 1;
    --waiting_count_;
    grant(next);
    if (waiting_count_ > 0 && !bus_watched_) {
        bus_watched_ = true;
        scheduler_.post(bus_free_at_, sink_, bus_free, 0);
    }
}

Duration FlashChannel::length(const Request& r) const {
    const ftl::FlashOp& op = flights_[r.flight].op;
    switch (r.transfer) {
        case Transfer::read_command:
            return timing_.read_command(op.planes);
        case Transfer::data_out:
            return timing_.data_out(op.sectors);
        case Transfer::data_in:
            return timing_.data_in(op.planes);
        case Transfer::erase_command:
            return timing_.erase_command(op.planes);
    }
    return Duration{0};
}

void FlashChannel::occupy_array(std::uint32_t die, std::uint32_t flight, Time from, Duration taken) {
    dies_[die].array_op = flight;
    array_busy_ += taken;
    scheduler_.post(from + taken, sink_, array_end, die);
}

void FlashChannel::grant(const Request& granted) {
    const Time now = scheduler_.now();
    const Duration taken = length(granted);
    const Time end = now + taken;
    bus_free_at_ = end;
    bus_die_ = granted.die;
    bus_busy_ += taken;
    Die& d = dies_[granted.die];
    Flight& f = flights_[granted.flight];
    switch (granted.transfer) {
        case Transfer::read_command:
            f.bus_wait = now - f.since;
            f.bus_transfer = taken;
            f.media = timing_.read(f.op.page);
            d.command_requested = false;
            occupy_array(granted.die, granted.flight, end, f.media);
            break;
        case Transfer::data_out:
            f.bus_wait += now - f.since;
            f.bus_transfer += taken;
            d.data_out_requested = false;
            d.cache_free_at = end;
            scheduler_.post(end + params_.ecc_latency, sink_, read_done, granted.flight);
            break;
        case Transfer::data_in:
            d.data_in_requested = false;
            d.cache_free_at = end;
            if (d.array_op == kNone) {
                occupy_array(granted.die, granted.flight, end, timing_.program(f.op.page));
            } else {
                d.loaded = granted.flight;
                d.loaded_at = end;
            }
            break;
        case Transfer::erase_command:
            d.command_requested = false;
            occupy_array(granted.die, granted.flight, end, timing_.erase());
            break;
    }
    advance(granted.die);
}

void FlashChannel::on_event(std::uint32_t what, std::uint32_t data) {
    switch (what) {
        case bus_free:
            serve_bus();
            break;
        case array_end:
            array_ended(data);
            break;
        case wake:
            dies_[data].wake_pending = false;
            advance(data);
            break;
        case read_done:
            done_.flash_done(data);
            break;
        default:
            break;
    }
}

void FlashChannel::array_ended(std::uint32_t die) {
    Die& d = dies_[die];
    const Time now = scheduler_.now();
    const std::uint32_t flight = std::exchange(d.array_op, kNone);
    if (flights_[flight].op.kind == ftl::OpKind::read) {
        flights_[flight].since = now;
        d.sensed = flight;
        advance(die);
        return;
    }
    if (d.loaded != kNone) {
        const std::uint32_t next = std::exchange(d.loaded, kNone);
        occupy_array(die, next, std::max(now, d.loaded_at), timing_.program(flights_[next].op.page));
    }
    advance(die);
    done_.flash_done(flight);
}

}  // namespace ftlab::controller
