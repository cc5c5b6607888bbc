// SPDX-License-Identifier: MIT
#include "nand/timing.h"

#include <optional>

namespace ftlab::nand {

using namespace literals;

void CellParams::describe(config::Fields<CellParams>& f) {
    f("mode", &CellParams::mode, "bits per cell: slc has only LSB pages, mlc pairs LSB and MSB pages");
    f("read_lsb", &CellParams::read_lsb, "tR of an LSB page").range(1_ns, 100_ms);
    f("read_msb", &CellParams::read_msb, "tR of an MSB page").range(1_ns, 100_ms);
    f("program_lsb", &CellParams::program_lsb, "tPROG of an LSB page, all planes together").range(1_ns, 1_s);
    f("program_msb", &CellParams::program_msb, "tPROG of an MSB page, all planes together").range(1_ns, 1_s);
    f("erase", &CellParams::erase, "tBERS, all planes together").range(1_ns, 10_s);
    f.check([](const CellParams& c) -> std::optional<config::Complaint> {
        if (c.mode == CellMode::mlc && c.program_msb < c.program_lsb) {
            return config::Complaint{{"program_lsb", "program_msb"},
                                     "an MSB page never programs faster than its LSB page; exchange the two"};
        }
        return std::nullopt;
    });
}

void BusParams::describe(config::Fields<BusParams>& f) {
    f("rate", &BusParams::rate, "transfer rate of a channel, one byte a transfer")
        .range(Bandwidth{1'000'000}, Bandwidth{100'000'000'000});
    f("spare", &BusParams::spare, "spare bytes that travel with a full page: ECC parity and out-of-band data")
        .at_most(Bytes{16384});
    f("cycle", &BusParams::cycle, "one command or address cycle").range(1_ns, 1_us);
    f("address_cycles", &BusParams::address_cycles, "address cycles of a page operation").range(1, 8);
    f("address_to_data", &BusParams::address_to_data, "tADL or tWHR: from the last address cycle to data")
        .at_most(100_us);
    f("busy_delay", &BusParams::busy_delay, "tWB: from the confirm cycle to busy").at_most(100_us);
    f("status_poll", &BusParams::status_poll, "reading the status when an operation ends").at_most(100_us);
    f("controller_gap", &BusParams::controller_gap, "time the controller leaves the bus idle around each transfer")
        .at_most(100_us);
}

Timing::Timing(const Geometry& geometry, const CellParams& cell, const BusParams& bus)
    : read_{cell.read_lsb, cell.read_msb}, program_{cell.program_lsb, cell.program_msb}, erase_{cell.erase} {
    // A page operation costs command + addresses + confirm for each plane; an erase has three row-address cycles.
    const Duration address = bus.cycle * (2 + bus.address_cycles);
    const Duration row_address = bus.cycle * (2 + 3);
    for (std::uint32_t planes = 0; planes <= geometry.planes; ++planes) {
        const Bytes page = geometry.page_size + bus.spare;
        read_command_.push_back(address * planes + bus.busy_delay + bus.controller_gap);
        data_in_.push_back((address + bus.address_to_data) * planes + transfer_time(page * planes, bus.rate) +
                           bus.busy_delay + bus.status_poll + bus.controller_gap);
        erase_command_.push_back(row_address * planes + bus.busy_delay + bus.status_poll + bus.controller_gap);
    }
    for (std::uint32_t sectors = 0; sectors <= geometry.sectors_per_unit(); ++sectors) {
        // Each sector carries its share of the page's spare area: its own ECC codewords.
        const Bytes raw{
            (kSectorSize.count * sectors * (geometry.page_size + bus.spare).count + geometry.page_size.count - 1) /
            geometry.page_size.count};
        data_out_.push_back(address + bus.address_to_data + bus.status_poll + bus.controller_gap +
                            transfer_time(raw, bus.rate));
    }
    for (std::uint32_t page = 0; page < geometry.pages_per_block; ++page) {
        kinds_.push_back(page_kind(cell.mode, page, geometry.pages_per_block));
    }
}

}  // namespace ftlab::nand
