// SPDX-License-Identifier: MIT
#include "sim/workload/mix.h"

#include <array>
#include <utility>

#include "sim/base/check.h"

namespace ftlab::workload {

namespace {
std::uint64_t threshold(double share) { return static_cast<std::uint64_t>(share * 0x1.0p53); }
}  // namespace

OpMix::OpMix(std::unique_ptr<Source> addresses, OpShares shares, Random random)
    : addresses_{std::move(addresses)},
      first_trim_{threshold(shares.read.value)},
      first_write_{threshold(shares.read.value + shares.trim.value)},
      random_{random} {
    FTLAB_CHECK(addresses_ != nullptr, "a mix needs a source of addresses");
    FTLAB_CHECK(shares.read.value >= 0 && shares.trim.value >= 0 && shares.read.value + shares.trim.value <= 1,
                "shares lie between 0 and 1, and so does their sum");
}

std::size_t OpMix::fill(std::span<Request> out) {
    const std::size_t filled = addresses_->fill(out);
    const std::uint64_t first_trim = first_trim_;
    const std::uint64_t first_write = first_write_;
    Random random = random_;
    // A table and not a choice: at even shares mispredicted branches double the cost of a request.
    constexpr std::array kByLimitsAbove{Op::write, Op::trim, Op::read};
    for (Request& request : out.first(filled)) {
        const std::uint64_t draw = random.next() >> 11U;
        const auto limits_above =
            static_cast<std::size_t>(draw < first_trim) + static_cast<std::size_t>(draw < first_write);
        request.op = kByLimitsAbove[limits_above];
        request.fua = request.fua && limits_above == 0;
    }
    random_ = random;
    return filled;
}

}  // namespace ftlab::workload
