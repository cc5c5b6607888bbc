// SPDX-License-Identifier: MIT
#include "sim/workload/sequential.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ftlab::workload {

Sequential::Sequential(const Shape& shape, std::uint64_t start, std::optional<std::uint32_t> passes)
    : shape_{shape}, next_{start}, left_{passes ? *passes * shape.span.lbas : kForever} {
    FTLAB_CHECK(shape.valid(), "a generator needs a block that fits its span");
    FTLAB_CHECK(start < shape.span.lbas, "a sequential workload starts within its span");
}

std::size_t Sequential::fill(std::span<Request> out) {
    std::size_t filled = 0;
    while (filled < out.size() && left_ > 0) {
        const std::uint64_t lbas = std::min({shape_.block, shape_.span.lbas - next_, left_});
        out[filled++] = shape_.request(next_, lbas);
        next_ += lbas;
        if (next_ == shape_.span.lbas) {
            next_ = 0;
        }
        if (left_ != kForever) {
            left_ -= lbas;
        }
    }
    return filled;
}

}  // namespace ftlab::workload
