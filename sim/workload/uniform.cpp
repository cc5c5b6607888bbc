// SPDX-License-Identifier: MIT
#include "sim/workload/uniform.h"

#include "sim/base/check.h"

namespace ftlab::workload {

UniformRandom::UniformRandom(const Shape& shape, Random random) : shape_{shape}, random_{random} {
    FTLAB_CHECK(shape.valid(), "a generator needs a block that fits its span");
    starts_ = (shape.span.lbas - shape.block) / shape.align + 1;
}

std::size_t UniformRandom::fill(std::span<Request> out) {
    const Shape shape = shape_;  // copies stay in registers: the stores to `out` could alias the members
    Random random = random_;
    for (Request& request : out) {
        request = shape.request(random.below(starts_) * shape.align, shape.block);
    }
    random_ = random;
    return out.size();
}

}  // namespace ftlab::workload
