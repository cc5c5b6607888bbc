// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/random.h"
#include "sim/base/units.h"
#include "sim/workload/source.h"

namespace ftlab::workload {

/// How often each operation is drawn; the rest are writes.  Each is in [0, 1], and so is their sum.
struct OpShares {
    Ratio read{0};
    Ratio trim{0};
};

/// Takes requests from another source and draws for each one, independently, what it does.  Only writes keep a FUA
/// flag. The draws are a stream of their own, so the addresses are the same at every share.
class OpMix final : public Source {
public:
    OpMix(std::unique_ptr<Source> addresses, OpShares shares, Random random);

    std::size_t fill(std::span<Request> out) override;

private:
    std::unique_ptr<Source> addresses_;
    std::uint64_t first_trim_;   // draws of 53 bits: reads are below this one,
    std::uint64_t first_write_;  // trims below this one
    Random random_;
};

}  // namespace ftlab::workload
