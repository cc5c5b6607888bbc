// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sim/base/random.h"
#include "sim/workload/shape.h"
#include "sim/workload/source.h"

namespace ftlab::workload {

/// Requests of one size, each at a start drawn uniformly and independently from those multiples of `align` (counted
/// from the beginning of the span) at which the whole block lies within the span.  Endless.  Where the span is not
/// `block` plus a multiple of `align`, its last LBAs, fewer than `align`, are never touched.
class UniformRandom final : public Source {
public:
    UniformRandom(const Shape& shape, Random random);

    std::size_t fill(std::span<Request> out) override;

    /// How many different starts there are.
    [[nodiscard]] std::uint64_t starts() const { return starts_; }

private:
    Shape shape_;
    std::uint64_t starts_ = 0;
    Random random_;
};

}  // namespace ftlab::workload
