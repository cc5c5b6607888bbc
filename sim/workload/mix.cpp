// SPDX-License-Identifier: MIT
#include "sim/workload/mix.h"

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
    for (Request& request : out.first(filled)) {
        const std::uint64_t draw = random.next() >> 11U;
        request.op = draw < first_trim ? Op::read : draw < first_write ? Op::trim : Op::write;
        request.fua = request.fua && draw >= first_write;
    }
    random_ = random;
    return filled;
}

}  // namespace ftlab::workload
