// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ftl/builtin.h"
#include "ftl/ftl.h"
#include "ftl/params.h"
#include "nand/array.h"
#include "sim/base/catalog.h"
#include "sim/base/config.h"
#include "sim/base/random.h"

namespace ftlab::testing {

/// Reads P from YAML with all policies that come with FTLab.
template <class P>
P from_yaml(std::string_view text) {
    Catalog catalog;
    ftl::add_builtin_policies(catalog);
    return config::load_text<P>(text, {.catalog = &catalog});
}

/// A geometry without bad or extended blocks, 16 KiB pages.
inline nand::Geometry geometry_of(std::uint32_t channels,
                                  std::uint32_t dies_per_channel,
                                  std::uint32_t planes,
                                  std::uint32_t blocks,
                                  std::uint32_t pages) {
    nand::Geometry g;
    g.channels = channels;
    g.dies_per_channel = dies_per_channel;
    g.planes = planes;
    g.blocks_per_plane = g.nominal_blocks_per_plane = blocks;
    g.pages_per_block = pages;
    return g;
}

/// An array and an FTL on it.
struct Drive {
    struct Spec {
        nand::Geometry geometry;
        std::string ftl = "{}";          ///< FtlParams in YAML
        std::uint32_t user_sectors = 0;  ///< 0: as many as the FTL can collect with
        std::uint64_t seed = 1;
    };
    explicit Drive(const Spec& spec)
        : random{spec.seed},
          params{from_yaml<ftl::FtlParams>(spec.ftl)},
          array{spec.geometry, random},
          ftl{array, params, spec.user_sectors != 0 ? spec.user_sectors : most_user_sectors(array, params), random} {}

    /// The largest capacity that leaves what garbage collection needs.
    static std::uint32_t most_user_sectors(const nand::Array& array, const ftl::FtlParams& params) {
        const std::uint32_t sectors = array.geometry().sectors_per_block() * array.geometry().lanes();
        return (ftl::BlockPool::usable(array, params.held_back_superblocks) -
                ftl::Ftl::min_superblocks(0, sectors, params.gc.reserve)) *
               sectors;
    }

    RandomStreams random;
    ftl::FtlParams params;
    nand::Array array;
    ftl::Ftl ftl;
};

}  // namespace ftlab::testing
