// SPDX-License-Identifier: MIT
#include "controller/flash/channel.h"

namespace ftlab::controller {

using namespace literals;

void FlashParams::describe(config::Fields<FlashParams>& f) {
    f("cache_program", &FlashParams::cache_program, "data of the next program may move in while one is programming");
    f("cache_read", &FlashParams::cache_read, "the array senses the next page while the last one is read out");
    f("reads_in_a_row", &FlashParams::reads_in_a_row, "reads a die serves before a waiting program or erase")
        .range(1, 1'000'000);
    f("bus_reads_first", &FlashParams::bus_reads_first, "transfers of reads overtake others on the bus");
    f("programs_per_die", &FlashParams::programs_per_die, "programs that may be outstanding for a die").range(1, 64);
    f("ecc_latency", &FlashParams::ecc_latency, "decoding delay of clean data; pipelined, occupies nothing").at_most(1_s);
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
    if (d.commanded) {
        return;
    }
    const bool array_free = d.array_op == kNone && d.sensed == kNone;
    if (!d.reads.empty() && (d.writes.empty() || d.reads_in_a_row < params_.reads_in_a_row)) {
        if (array_free && (!d.cache_taken || (params_.cache_read && !d.data_in))) {
            const std::uint32_t flight = pop(d.reads);
            Flight& f = flights_[flight];
            f.die_wait = scheduler_.now() - f.since;
            f.since = scheduler_.now();
            d.reads_in_a_row += d.writes.empty() ? 0U : 1U;
            d.commanded = true;
            request(die, flight, Transfer::read_command);
        }
        return;
    }
    if (d.writes.empty() || d.cache_taken) {
        return;
    }
    if (flights_[d.writes.head].op.kind == ftl::OpKind::program) {
        const bool overlap =
            params_.cache_program && d.array_op != kNone && flights_[d.array_op].op.kind == ftl::OpKind::program;
        if (array_free || overlap) {
            d.reads_in_a_row = 0;
            d.cache_taken = d.data_in = true;
            request(die, pop(d.writes), Transfer::data_in);
        }
    } else if (array_free) {
        d.reads_in_a_row = 0;
        d.commanded = true;
        request(die, pop(d.writes), Transfer::erase_command);
    }
}

void FlashChannel::request(std::uint32_t die, std::uint32_t flight, Transfer transfer) {
    auto size = static_cast<std::uint32_t>(waiting_.size());
    const bool read = transfer == Transfer::read_command || transfer == Transfer::data_out;
    std::uint32_t at = waiting_count_++;
    if (params_.bus_reads_first && read) {
        // Ahead of everything that is not a read; the ring is as short as the channel has dies.
        while (at > 0) {
            const Request& before = waiting_[(waiting_head_ + at - 1) % size];
            if (before.transfer == Transfer::read_command || before.transfer == Transfer::data_out) {
                break;
            }
            waiting_[(waiting_head_ + at) % size] = before;
            --at;
        }
    }
    std::uint32_t slot = waiting_head_ + at;
    slot = slot >= size ? slot - size : slot;
    waiting_[slot] = {flight, static_cast<std::uint16_t>(die), transfer};
    if (!bus_taken_) {
        grant();
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

void FlashChannel::grant() {
    if (waiting_count_ == 0) {
        return;
    }
    current_ = waiting_[waiting_head_];
    waiting_head_ = waiting_head_ + 1 == waiting_.size() ? 0 : waiting_head_ + 1;
    --waiting_count_;
    bus_taken_ = true;
    const Duration taken = length(current_);
    Flight& f = flights_[current_.flight];
    const Time now = scheduler_.now();
    if (current_.transfer == Transfer::read_command) {
        f.bus_wait = now - f.since;
        f.bus_transfer = taken;
    } else if (current_.transfer == Transfer::data_out) {
        f.bus_wait += now - f.since;
        f.bus_transfer += taken;
    }
    bus_busy_ += taken;
    scheduler_.post(now + taken, sink_, bus_end, 0);
}

void FlashChannel::on_event(std::uint32_t what, std::uint32_t data) {
    switch (what) {
        case bus_end:
            transfer_ended();
            break;
        case array_end:
            array_ended(data);
            break;
        case ecc_end:
            done_.flash_done(data);
            break;
        default:
            break;
    }
}

void FlashChannel::start_array(std::uint32_t die, std::uint32_t flight, Duration taken) {
    dies_[die].array_op = flight;
    array_busy_ += taken;
    scheduler_.post(scheduler_.now() + taken, sink_, array_end, die);
}

void FlashChannel::transfer_ended() {
    const Request ended = current_;
    bus_taken_ = false;
    Die& d = dies_[ended.die];
    Flight& f = flights_[ended.flight];
    switch (ended.transfer) {
        case Transfer::read_command:
            d.commanded = false;
            f.media = timing_.read(f.op.page);
            start_array(ended.die, ended.flight, f.media);
            break;
        case Transfer::data_out:
            d.cache_taken = false;
            if (d.sensed != kNone) {
                const std::uint32_t next = d.sensed;
                d.sensed = kNone;
                read_out(ended.die, next);
            }
            break;
        case Transfer::data_in:
            if (d.array_op == kNone) {
                d.cache_taken = d.data_in = false;
                start_array(ended.die, ended.flight, timing_.program(f.op.page));
            } else {
                d.loaded = ended.flight;
            }
            break;
        case Transfer::erase_command:
            d.commanded = false;
            start_array(ended.die, ended.flight, timing_.erase());
            break;
    }
    advance(ended.die);
    if (!bus_taken_) {
        grant();
    }
    if (ended.transfer == Transfer::data_out) {
        if (params_.ecc_latency == Duration{0}) {
            done_.flash_done(ended.flight);
        } else {
            scheduler_.post(scheduler_.now() + params_.ecc_latency, sink_, ecc_end, ended.flight);
        }
    }
}

void FlashChannel::read_out(std::uint32_t die, std::uint32_t flight) {
    dies_[die].cache_taken = true;
    request(die, flight, Transfer::data_out);
}

void FlashChannel::array_ended(std::uint32_t die) {
    Die& d = dies_[die];
    const std::uint32_t flight = d.array_op;
    d.array_op = kNone;
    if (flights_[flight].op.kind == ftl::OpKind::read) {
        flights_[flight].since = scheduler_.now();
        if (d.cache_taken) {
            d.sensed = flight;
        } else {
            read_out(die, flight);
            advance(die);
        }
        return;
    }
    if (d.loaded != kNone) {
        const std::uint32_t next = d.loaded;
        d.loaded = kNone;
        d.cache_taken = d.data_in = false;
        start_array(die, next, timing_.program(flights_[next].op.page));
    }
    advance(die);
    done_.flash_done(flight);
}

}  // namespace ftlab::controller
