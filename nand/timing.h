// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "nand/cell.h"
#include "nand/geometry.h"
#include "sim/base/config.h"
#include "sim/base/units.h"

namespace ftlab::nand {

/// Times of the cell array.
struct CellParams {
    CellMode mode = CellMode::mlc;
    Duration read_lsb{62'000'000};
    Duration read_msb{80'000'000};
    Duration program_lsb{450'000'000};
    Duration program_msb{2'670'000'000};
    Duration erase{5'000'000'000};

    static void describe(config::Fields<CellParams>& f);
};

/// Times of the Toggle-mode bus between controller and dies (JEDEC JESD230 names).
struct BusParams {
    Bandwidth rate{200'000'000};
    Bytes spare{1280};
    Duration cycle{30'000};
    std::uint32_t address_cycles = 5;
    Duration address_to_data{300'000};
    Duration busy_delay{100'000};
    Duration status_poll{300'000};
    Duration controller_gap{0};

    static void describe(config::Fields<BusParams>& f);
};

/// The length of every phase of every operation, looked up by what varies.  A pure function of the parameters:
/// knows no state and no clock.
class Timing {
public:
    Timing(const Geometry& geometry, const CellParams& cell, const BusParams& bus);

    /// Bus: command, addresses and confirm of a read that senses `planes` planes at once.
    [[nodiscard]] Duration read_command(std::uint32_t planes) const { return read_command_[planes]; }
    /// Bus: data out of `sectors` 4 KiB sectors with their share of the spare area, by random data output.
    [[nodiscard]] Duration data_out(std::uint32_t sectors) const { return data_out_[sectors]; }
    /// Bus: commands, addresses and full pages of data in for `planes` planes.
    [[nodiscard]] Duration data_in(std::uint32_t planes) const { return data_in_[planes]; }
    /// Bus: command and row addresses of an erase of `planes` blocks.
    [[nodiscard]] Duration erase_command(std::uint32_t planes) const { return erase_command_[planes]; }

    /// Array: tR, tPROG by the page's kind (planes act together), tBERS.
    [[nodiscard]] Duration read(std::uint32_t page) const { return read_[static_cast<std::size_t>(kind(page))]; }
    [[nodiscard]] Duration program(std::uint32_t page) const { return program_[static_cast<std::size_t>(kind(page))]; }
    [[nodiscard]] Duration erase() const { return erase_; }
    [[nodiscard]] PageKind kind(std::uint32_t page) const { return kinds_[page]; }

private:
    std::vector<Duration> read_command_, data_out_, data_in_, erase_command_;
    std::vector<PageKind> kinds_;
    Duration read_[2], program_[2], erase_;
};

}  // namespace ftlab::nand
