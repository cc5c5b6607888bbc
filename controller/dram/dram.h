// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <systemc>
#include <vector>

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

/// The DRAM port: host data passes it once on its way in or out.
///
/// A write books its pass when its data sets out on the link, so that its arrival needs no event of its own.  Bookings
/// never move, and each takes the first gap that it fits: a read that comes meanwhile goes through before the write, as
/// if the write had asked only when it arrived.
class Dram final : public sc_core::sc_module {
public:
    Dram(const sc_core::sc_module_name& name, const DramParams& params)
        : sc_core::sc_module{name}, rate_{params.rate}, sector_{transfer_time(kSectorSize, params.rate)} {
        ahead_.reserve(kUsual);
    }

    /// Moves `size` bytes, not before `from`, which is `now` or later; returns when that is done.
    Time move(Time now, Time from, Bytes size) {
        const Duration length = size == kSectorSize ? sector_ : transfer_time(size, rate_);
        busy_ += length;
        if (from >= last_end_) [[likely]] {
            if (last_end_ <= now || ahead_.size() >= kUsual) {
                forget_past(now);
            }
            ahead_.push_back({from, from + length});
            last_end_ = from + length;
            return last_end_;
        }
        forget_past(now);
        auto next = ahead_.begin();
        for (; next != ahead_.end() && next->begin < from + length; ++next) {
            from = std::max(from, next->end);
        }
        ahead_.insert(next, {from, from + length});
        last_end_ = ahead_.back().end;
        return from + length;
    }
    [[nodiscard]] Time busy() const { return busy_; }

private:
    static constexpr std::size_t kUsual = 64;  // passes: one for each tag of the host, and some
    struct Pass {
        Time begin;
        Time end;
    };

    void forget_past(Time now) {
        if (last_end_ <= now) {
            ahead_.clear();
            return;
        }
        const auto is_ahead = [now](const Pass& pass) { return pass.end > now; };
        ahead_.erase(ahead_.begin(), std::find_if(ahead_.begin(), ahead_.end(), is_ahead));
    }

    Bandwidth rate_;
    Duration sector_;
    std::vector<Pass> ahead_;  // under way or booked, in the order of time, and some that have passed
    Time last_end_{0};         // of the last of them
    Time busy_{0};
};

}  // namespace ftlab::controller
