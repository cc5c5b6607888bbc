// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/workload/request.h"

namespace ftlab::workload {

/// What the generators have in common: where, how large, how aligned, and which operation.  In LBAs.
struct Shape {
    Span span;
    std::uint64_t block = 8;
    std::uint64_t align = 8;  ///< distance of possible starts, counted from the beginning of the span
    Op op = Op::write;
    bool fua = false;

    /// What every generator requires; parameters of users are checked with sentences in workload.h.
    [[nodiscard]] constexpr bool valid() const { return block > 0 && align > 0 && block <= span.lbas; }

    [[nodiscard]] constexpr Request request(std::uint64_t offset, std::uint64_t lbas) const {
        return {.first = Lba{span.first.value + offset}, .lbas = lbas, .op = op, .fua = fua};
    }
};

}  // namespace ftlab::workload
