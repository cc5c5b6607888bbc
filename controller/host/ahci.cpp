// SPDX-License-Identifier: MIT
#include "controller/host/ahci.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ftlab::controller {

namespace {
constexpr Bytes kTrimRanges{512};           // one block of DSM range entries
constexpr std::uint32_t kMostBurst = 2048;  // sectors; longer writes ask for buffer room piece by piece

Bytes bytes_of(std::uint64_t lbas) { return kLbaSize * lbas; }
std::uint32_t sectors_of(std::uint64_t first, std::uint64_t count) {
    return static_cast<std::uint32_t>((first + count - 1) / kLbasPerSector - first / kLbasPerSector + 1);
}
}  // namespace

Ahci::Ahci(const sc_core::sc_module_name& name, const Parts& parts)
    : sc_core::sc_module{name}, parts_{parts}, sink_{parts.scheduler.attach(*this)} {
    parts_.flash.serve(*this);
}

void Ahci::begin(HostCommand& command) {
    FTLAB_CHECK(command.tag.index() < kTags && slots_[command.tag.index()].command == nullptr,
                "the host uses a free tag");
    const bool queued = command.op == HostOp::read || command.op == HostOp::write;
    FTLAB_CHECK(queued || outstanding_ == 0, "a non-queued command comes when all others have ended");
    const Time now = parts_.scheduler.now();
    Slot& slot = slots_[command.tag.index()];
    slot.command = &command;
    slot.waits = false;
    if (outstanding_++ == 0) {
        parts_.ftl.offer({now, Duration{0}, 1}, parts_.flash);
        note_reason();
    }
    Time end = parts_.link.command(now);
    if (command.op == HostOp::trim) {
        end = parts_.link.data(end, kTrimRanges);
    }
    if (parts_.firmware.decodes_alone()) {
        decode(slot, end);
    } else {
        post(end, arrived, slot);
    }
}

void Ahci::on_event(std::uint32_t what, std::uint32_t tag) {
    switch (what) {
        case arrived:
            decode(slots_[tag], parts_.scheduler.now());
            break;
        case decoded:
            on_decoded(slots_[tag]);
            break;
        case data_in:
            on_data_in(slots_[tag]);
            break;
        case status: {
            Slot& slot = slots_[tag];
            slot.command->stamps.charge(Cause::firmware, parts_.scheduler.now());
            slot.mark = parts_.scheduler.now();
            post(parts_.link.status(parts_.scheduler.now()), answered, slot);
            break;
        }
        case answered:
            on_answered(slots_[tag]);
            break;
        case silent:
            on_silent();
            break;
        default:
            break;
    }
}

void Ahci::decode(Slot& slot, Time arrival) {
    HostCommand& c = *slot.command;
    c.stamps.charge(Cause::link, arrival);
    switch (c.op) {
        case HostOp::read:
            parts_.ftl.prefetch(c.first);
            post(parts_.firmware.decode_read(arrival, sectors_of(c.first, c.count)), decoded, slot);
            break;
        case HostOp::write:
            post(parts_.firmware.decode_write(arrival, sectors_of(c.first, c.count)), decoded, slot);
            break;
        case HostOp::trim:
        case HostOp::flush:
            post(parts_.firmware.decode_other(arrival), decoded, slot);
            break;
    }
}

void Ahci::on_decoded(Slot& slot) {
    HostCommand& c = *slot.command;
    c.stamps.charge(Cause::firmware, parts_.scheduler.now());
    switch (c.op) {
        case HostOp::read:
            parts_.ftl.read(c.first, static_cast<std::uint32_t>(c.count), c.tag, parts_.flash);
            break;
        case HostOp::write:
            slot.next_lba = c.first;
            ask_for_data(c.tag.value);
            break;
        case HostOp::trim:
            parts_.ftl.trim(c.first, c.count, c.tag, parts_.flash);
            progressed();  // what it dropped from the buffer makes room
            break;
        case HostOp::flush:
            slot.waits = true;
            parts_.ftl.flush(c.tag, parts_.flash);
            note_reason();
            break;
    }
}

void Ahci::ask_for_data(std::uint32_t tag) {
    if (waiting_count_ > 0 || !start_burst(tag)) {
        slots_[tag].waits = true;
        waiting_[(waiting_head_ + waiting_count_++) % kTags] = tag;
    }
}

bool Ahci::start_burst(std::uint32_t tag) {
    Slot& slot = slots_[tag];
    const HostCommand& c = *slot.command;
    const std::uint64_t left = c.first + c.count - slot.next_lba;
    const std::uint64_t most = std::min(kMostBurst, parts_.ftl.burst());
    const std::uint64_t lbas = std::min(left, (slot.next_lba / kLbasPerSector + most) * kLbasPerSector - slot.next_lba);
    const std::uint32_t sectors = sectors_of(slot.next_lba, lbas);
    if (parts_.ftl.room() < in_transit_ + sectors) {
        return false;
    }
    in_transit_ += sectors;
    slot.burst_lbas = static_cast<std::uint32_t>(lbas);
    slot.burst_sectors = sectors;
    slot.mark = parts_.link.data(parts_.scheduler.now(), bytes_of(lbas));
    // Booked ahead, for the time when the data will be there: reads go through the DRAM before it.
    post(parts_.dram.move(parts_.scheduler.now(), slot.mark, bytes_of(lbas)), data_in, slot);
    parts_.ftl.prefetch(slot.next_lba);
    return true;
}

void Ahci::serve_waiting() {
    const Time now = parts_.scheduler.now();
    while (waiting_count_ > 0) {
        const std::uint32_t tag = waiting_[waiting_head_];
        const Cause cause = room_cause();
        if (!start_burst(tag)) {
            return;
        }
        slots_[tag].command->stamps.charge(cause, now);
        slots_[tag].waits = false;
        waiting_head_ = (waiting_head_ + 1) % kTags;
        --waiting_count_;
    }
}

void Ahci::note_reason() {
    if (parts_.ftl.host_blocked() == was_blocked_) {
        return;
    }
    // A wait may change its reason half-way: charge what is past to the reason of the past.
    const Time now = parts_.scheduler.now();
    for (Slot& slot : slots_) {
        if (slot.waits) {
            slot.command->stamps.charge(room_cause(), now);
        }
    }
    was_blocked_ = !was_blocked_;
}

void Ahci::progressed() {
    note_reason();
    serve_waiting();
}

void Ahci::on_data_in(Slot& slot) {
    const Time now = parts_.scheduler.now();
    HostCommand& c = *slot.command;
    c.stamps.charge(Cause::link, slot.mark);
    c.stamps.charge(Cause::dram, now);
    in_transit_ -= slot.burst_sectors;
    const std::uint64_t first = slot.next_lba;
    slot.next_lba += slot.burst_lbas;
    const bool last = slot.next_lba == c.first + c.count;
    slot.waits = last && c.fua;
    const ftl::Admission admission = parts_.ftl.write(
        {.first = first, .count = slot.burst_lbas, .fua = c.fua, .last_of_command = last, .tag = c.tag}, parts_.flash);
    FTLAB_CHECK(admission == ftl::Admission::accepted, "room was promised before the transfer");
    if (!last) {
        ask_for_data(c.tag.value);
    } else if (!c.fua) {
        post(now + parts_.firmware.completion_latency(), status, slot);
    }
    progressed();
}

void Ahci::finished(CommandId tag, const Flight* last) {
    const Time now = parts_.scheduler.now();
    Slot& slot = slots_[tag.index()];
    HostCommand& c = *slot.command;
    if (c.op != HostOp::read) {
        if (slot.waits) {
            c.stamps.charge(room_cause(), now);
            slot.waits = false;
        }
        post(now + parts_.firmware.completion_latency(), status, slot);
        return;
    }
    if (last != nullptr) {
        // Its operations were issued together; the last one to finish is what the command waited for.
        c.stamps.charge(Cause::die_wait, c.stamps.last() + last->die_wait);
        c.stamps.charge(Cause::bus_wait, c.stamps.last() + last->bus_wait);
        c.stamps.charge(Cause::bus_transfer, c.stamps.last() + last->bus_transfer);
        c.stamps.charge(Cause::media, c.stamps.last() + last->media);
        c.stamps.charge(Cause::ecc, now);
    }
    slot.mark = parts_.dram.move(now, now, bytes_of(c.count));
    const Time sent = parts_.link.data(slot.mark, bytes_of(c.count));
    post(parts_.link.status(sent), answered, slot);
}

void Ahci::on_answered(Slot& slot) {
    const Time now = parts_.scheduler.now();
    HostCommand& c = *slot.command;
    c.stamps.charge(Cause::dram, slot.mark);
    c.stamps.charge(Cause::link_back, now);
    FTLAB_CHECK(c.stamps.sum() == now - c.stamps.begin(), "the causes of a command's time sum to its latency");
    slot.command = nullptr;
    if (--outstanding_ == 0) {
        silent_since_ = now;
        if (!silence_watched_) {
            on_silent();
        }
    }
    responder_->respond(c);
}

void Ahci::on_silent() {
    silence_watched_ = false;
    if (outstanding_ > 0) {
        return;
    }
    const Time now = parts_.scheduler.now();
    const std::optional<Duration> again = parts_.ftl.offer({now, now - silent_since_, 0}, parts_.flash);
    note_reason();
    if (again.has_value()) {
        silence_watched_ = true;
        parts_.scheduler.post(now + *again, sink_, silent, 0);
    }
}

}  // namespace ftlab::controller
