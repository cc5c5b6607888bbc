// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/base/units.h"

/// Write amplification (flash programs over host writes) of garbage collection in steady state by mean-field theory: a
/// page-level map, single-sector host writes uniform over U logical sectors, all of them mapped, infinitely many
/// blocks.
///
/// Everything is a function of the spare factor Sf = (T - U) / T in (0, 1).  T counts the physical sectors that data
/// can lie in: blocks kept free do not count, open ones count half.  Over-provisioning OP = (T - U) / U is another
/// number: OP 28% is Sf 21.9%.
namespace ftlab::analysis {

/// Blocks collected in the order in which they were written: WA = 1 / (1 - u) with (u - 1) / ln u = U / T, for any
/// block size (Menon 1995; Robinson 1996; Desnoyers, SYSTOR 2012, eq. 4).  Greedy tends to it for large blocks.
[[nodiscard]] double waf_fifo(Ratio spare_factor);

/// A block drawn uniformly: WA = 1 / Sf, for any block size (Van Houdt, SIGMETRICS 2013, d = 1).
[[nodiscard]] double waf_random(Ratio spare_factor);

/// The best of d blocks drawn uniformly with replacement (Van Houdt, SIGMETRICS 2013; Li, Lee and Lui, SIGMETRICS
/// 2013).  `block` is the number of sectors of a block.
[[nodiscard]] double waf_d_choices(Ratio spare_factor, std::uint32_t block, std::uint32_t d);

/// The block with the fewest valid sectors: the limit of d_choices for large d, in closed form.
[[nodiscard]] double waf_greedy(Ratio spare_factor, std::uint32_t block);

}  // namespace ftlab::analysis
