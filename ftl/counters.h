// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ftl/origin.h"

namespace ftlab::ftl {

/// Everything the FTL counts, since mount.  Take two copies and subtract for a phase.
struct Counters {
    ByOrigin sectors_programmed;  ///< 4 KiB sectors in completed programs, by why the sector was written
    ByOrigin reads;               ///< completed flash reads, by payer
    ByOrigin programs;            ///< completed multi-plane programs, by payer
    ByOrigin erases;              ///< completed multi-plane erases, by payer

    std::uint64_t host_sectors_received = 0;   ///< 4 KiB sectors touched by host writes, before coalescing
    std::uint64_t host_sectors_coalesced = 0;  ///< of these, merged into a sector still waiting in the write buffer
    std::uint64_t host_sectors_read = 0;
    std::uint64_t read_from_buffer = 0;  ///< of these, served from the write buffer
    std::uint64_t read_unmapped = 0;     ///< of these, never written or trimmed: zeroes without a flash read
    std::uint64_t sectors_trimmed = 0;   ///< whole sectors in TRIM ranges that held data
    std::uint64_t rmw_sectors = 0;       ///< partially written sectors that needed a flash read before programming
    std::uint64_t rmw_sectors_spared =
        0;                            ///< partial sectors completed without a read: unmapped, or copy in the buffer
    std::uint64_t born_invalid = 0;   ///< host sectors overwritten or trimmed while their program was in flight
    std::uint64_t moves_dropped = 0;  ///< GC copies that lost against a host write or TRIM
    std::uint64_t victims = 0;        ///< superblocks collected and erased
    std::uint64_t victim_valid_sectors = 0;  ///< sum over victims of the valid sectors at selection
    std::uint64_t host_stops = 0;            ///< times the host had to wait for a free superblock

    /// WAF over host sectors as received: what the user paid for; 0 when the host wrote nothing.
    [[nodiscard]] double waf() const {
        return host_sectors_received == 0
                   ? 0.0
                   : static_cast<double>(sectors_programmed.total()) / static_cast<double>(host_sectors_received);
    }
    /// WAF over host sectors programmed, after coalescing: what theory speaks of.
    [[nodiscard]] double waf_programmed() const {
        const std::uint64_t host = sectors_programmed[Origin::host];
        return host == 0 ? 0.0 : static_cast<double>(sectors_programmed.total()) / static_cast<double>(host);
    }
    friend Counters operator-(const Counters& a, const Counters& b) {
        Counters d;
        d.sectors_programmed = a.sectors_programmed - b.sectors_programmed;
        d.reads = a.reads - b.reads;
        d.programs = a.programs - b.programs;
        d.erases = a.erases - b.erases;
        d.host_sectors_received = a.host_sectors_received - b.host_sectors_received;
        d.host_sectors_coalesced = a.host_sectors_coalesced - b.host_sectors_coalesced;
        d.host_sectors_read = a.host_sectors_read - b.host_sectors_read;
        d.read_from_buffer = a.read_from_buffer - b.read_from_buffer;
        d.read_unmapped = a.read_unmapped - b.read_unmapped;
        d.sectors_trimmed = a.sectors_trimmed - b.sectors_trimmed;
        d.rmw_sectors = a.rmw_sectors - b.rmw_sectors;
        d.rmw_sectors_spared = a.rmw_sectors_spared - b.rmw_sectors_spared;
        d.born_invalid = a.born_invalid - b.born_invalid;
        d.moves_dropped = a.moves_dropped - b.moves_dropped;
        d.victims = a.victims - b.victims;
        d.victim_valid_sectors = a.victim_valid_sectors - b.victim_valid_sectors;
        d.host_stops = a.host_stops - b.host_stops;
        return d;
    }
};

}  // namespace ftlab::ftl
