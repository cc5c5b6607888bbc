// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "controller/flash/flight.h"
#include "controller/scheduler.h"
#include "nand/timing.h"
#include "sim/base/config.h"

namespace ftlab::controller {

struct FlashParams {
    bool cache_program = true;
    bool cache_read = false;
    std::uint32_t reads_in_a_row = 4;
    bool bus_reads_first = false;
    std::uint32_t programs_per_die = 3;
    Duration ecc_latency{2'000'000};

    static void describe(config::Fields<FlashParams>& f);
};

/// One flash channel: its bus and the dies that share it.
///
/// A die does one array operation at a time (tR, tPROG, tBERS).  Its page register belongs to the array, its cache
/// register to the bus.
///
///     read     [command on bus] -> tR -> [data out on bus] -> ECC -> done
///     program  [data in on bus] -> tPROG -> done
///     erase    [command on bus] -> tBERS -> done
///
/// A read's command asks for the bus as soon as the data of the die's last read has asked, so it follows that data on
/// the bus.  With cache read (31h) it is the other way round: where the next read already waits when a page has been
/// sensed, its command goes first, and the array senses while the data of the last page leaves the cache register.  A
/// page that has been sensed before the cache register is free waits, and so does the command behind it.  The move
/// between the registers (tDCBSYR, a few microseconds) is taken as nothing.
///
/// With cache program the next program's data moves in while the array programs.  Reads of a die go before its waiting
/// programs and erases, but at most `reads_in_a_row` of them while any waits; programs and erases keep their order. The
/// bus serves requests first come first served, or reads first.
///
/// A transfer once granted, and an array operation once begun, are never interrupted, so their ends are known at their
/// start: events are posted only for ends that somebody waits for.  In a quiet channel that is two events for a read
/// and one for a program (measured: 13.6 to 12.3 events for a host write at a WAF of 8.5, 8 to 6.2 for a read).
///
/// Invariants: (1) one transfer on the bus at a time; (2) a die has at most two requested: one for its cache register,
/// one command; (3) programs and erases of a die begin and end in issue order.
class FlashChannel final : public sc_core::sc_module, private EventSink {
public:
    FlashChannel(const sc_core::sc_module_name& name,
                 Scheduler& scheduler,
                 const nand::Timing& timing,
                 const FlashParams& params,
                 std::uint32_t dies,
                 Flights& flights,
                 FlashDoneInterface& done);

    /// Queues an operation for the die-th die of this channel.
    void submit(std::uint32_t die, std::uint32_t flight);

    /// Time the bus was taken, and the cell arrays of all dies together were busy.
    [[nodiscard]] Time bus_busy() const { return bus_busy_; }
    [[nodiscard]] Time array_busy() const { return array_busy_; }

private:
    static constexpr std::uint32_t kNone = 0xffffffffU;
    enum What : std::uint16_t { bus_free, array_end, wake, read_done };
    enum class Transfer : std::uint8_t { read_command, data_out, data_in, erase_command };

    /// A first-in first-out list of flights, linked through Flight::next.
    struct Queue {
        std::uint32_t head = kNone;
        std::uint32_t tail = kNone;
        [[nodiscard]] bool empty() const { return head == kNone; }
    };
    struct Die {
        Queue reads;
        Queue writes;  // programs and erases
        std::uint32_t array_op = kNone;
        std::uint32_t sensed = kNone;  // a read in the page register that waits for the cache register
        std::uint32_t loaded = kNone;  // a program whose data waits in the cache register, or is on its way there
        Time loaded_at{0};
        Time cache_free_at{0};  // end of the transfer that the cache register is in
        std::uint32_t reads_in_a_row = 0;
        bool command_requested = false;
        bool data_in_requested = false;
        bool data_out_requested = false;
        bool wake_pending = false;
    };
    struct Request {
        std::uint32_t flight = kNone;
        std::uint16_t die = 0;
        Transfer transfer = Transfer::read_command;
    };

    void on_event(std::uint32_t what, std::uint32_t data) override;
    void array_ended(std::uint32_t die);
    void advance(std::uint32_t die);
    void start_read(std::uint32_t die);
    void start_write(std::uint32_t die);
    void wake_when_cache_is_free(std::uint32_t die);
    void request(std::uint32_t die, std::uint32_t flight, Transfer transfer);
    void serve_bus();
    void grant(const Request& granted);
    void occupy_array(std::uint32_t die, std::uint32_t flight, Time from, Duration taken);
    [[nodiscard]] bool cache_free(const Die& die) const {
        return !die.data_in_requested && !die.data_out_requested && die.loaded == kNone &&
               scheduler_.now() >= die.cache_free_at;
    }
    [[nodiscard]] Duration length(const Request& request) const;
    void push(Queue& queue, std::uint32_t flight);
    std::uint32_t pop(Queue& queue);

    Scheduler& scheduler_;
    const nand::Timing& timing_;
    FlashParams params_;
    Flights& flights_;
    FlashDoneInterface& done_;
    SinkId sink_;
    std::vector<Die> dies_;
    std::vector<Request> waiting_;  // ring: each die asks for at most two transfers
    std::uint32_t waiting_head_ = 0;
    std::uint32_t waiting_count_ = 0;
    Time bus_free_at_{0};
    std::uint32_t bus_die_ = 0;  // of the transfer that ends at bus_free_at_
    bool bus_watched_ = false;   // a bus_free event is pending
    Time bus_busy_{0};
    Time array_busy_{0};
};

}  // namespace ftlab::controller
