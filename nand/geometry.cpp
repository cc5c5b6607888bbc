// SPDX-License-Identifier: MIT
#include "nand/geometry.h"

#include <optional>

namespace ftlab::nand {

void Geometry::describe(config::Fields<Geometry>& f) {
    f("channels", &Geometry::channels, "flash channels (buses) of the controller").range(1, 64);
    f("dies_per_channel", &Geometry::dies_per_channel, "dies (LUNs) that share a channel").range(1, 64);
    f("planes", &Geometry::planes, "planes of a die; one program unit spans all of them").range(1, kMaxPlanes);
    f("blocks_per_plane", &Geometry::blocks_per_plane, "blocks of a plane, extended ones included").range(8, 65535);
    f("nominal_blocks_per_plane", &Geometry::nominal_blocks_per_plane,
      "blocks of a plane that the data sheet counts; the rest are extended blocks that replace bad ones")
        .range(8, 65535);
    f("pages_per_block", &Geometry::pages_per_block, "pages of a block").range(4, 8192);
    f("page_size", &Geometry::page_size, "data bytes of a page, without its spare area")
        .range(Bytes{4096}, Bytes{65536});
    f("factory_bad", &Geometry::factory_bad,
      "share of blocks marked bad by the factory, the same number in every plane at random places")
        .range(Ratio{0.0}, Ratio{0.5});
    f.check([](const Geometry& g) -> std::optional<config::Complaint> {
        if (g.page_size % kSectorSize != Bytes{0}) {
            return config::Complaint{{"page_size"}, "must be a multiple of 4 KiB, the unit of mapping"};
        }
        return std::nullopt;
    });
    f.check([](const Geometry& g) -> std::optional<config::Complaint> {
        if (g.nominal_blocks_per_plane > g.blocks_per_plane) {
            return config::Complaint{{"nominal_blocks_per_plane", "blocks_per_plane"},
                                     "the nominal blocks are some of all blocks; make nominal_blocks_per_plane at most "
                                     "blocks_per_plane"};
        }
        return std::nullopt;
    });
    f.check([](const Geometry& g) -> std::optional<config::Complaint> {
        const double bad = g.factory_bad.value * static_cast<double>(g.blocks_per_plane);
        if (bad > static_cast<double>(g.blocks_per_plane - g.nominal_blocks_per_plane)) {
            return config::Complaint{
                {"factory_bad", "blocks_per_plane", "nominal_blocks_per_plane"},
                "more bad blocks in a plane than extended blocks to replace them; lower factory_bad "
                "or raise blocks_per_plane"};
        }
        return std::nullopt;
    });
}

}  // namespace ftlab::nand
