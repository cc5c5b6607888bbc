// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <systemc>

#include "sim/base/config.h"
#include "sim/base/units.h"

namespace ftlab::controller {

struct DramParams {
    Bytes size{512U << 20U};
    Bandwidth rate{2'000'000'000};

    static void describe(config::Fields<DramParams>& f) {
        f("size", &DramParams::size, "capacity: the map and the write buffer must fit")
            .range(Bytes{1U << 20U}, Bytes{std::uint64_t{1} << 40U});
        f("rate", &DramParams::rate, "sustained transfer rate of the DRAM port")
            .range(Bandwidth{10'000'000}, Bandwidth{1'000'000'000'000});
    }
};

/// The DRAM port: host data passes it once on its way in or out; first come first served.
class Dram final : public sc_core::sc_module {
public:
    Dram(const sc_core::sc_module_name& name, const DramParams& params)
        : sc_core::sc_module{name}, rate_{params.rate}, sector_{transfer_time(kSectorSize, params.rate)} {}

    /// Moves `size` bytes, not before `from`; returns when that is done.
    Time move(Time from, Bytes size) {
        const Duration length = size == kSectorSize ? sector_ : transfer_time(size, rate_);
        free_at_ = std::max(free_at_, from) + length;
        busy_ += length;
        return free_at_;
    }
    [[nodiscard]] Time busy() const { return busy_; }

private:
    Bandwidth rate_;
    Duration sector_;
    Time free_at_{0};
    Time busy_{0};
};

}  // namespace ftlab::controller
