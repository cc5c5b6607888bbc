// SPDX-License-Identifier: MIT
#include <algorithm>

#include "ftl/builtin.h"
#include "ftl/gc/trigger.h"
#include "sim/base/catalog.h"

namespace ftlab::ftl {

namespace {

/// Active collection: keeps a few superblocks ahead of the host.  On below `start`, off at `stop`; while on, each host
/// sector pays slightly more than the victim's break-even, interleaved with host work.
class Threshold final : public GcTrigger {
public:
    struct Params {
        std::uint32_t start = 6;
        std::uint32_t stop = 7;
        double over_collect = 1.05;

        static void describe(config::Fields<Params>& f) {
            f("start", &Params::start, "collect while fewer superblocks than this are free").range(1, 1'000'000);
            f("stop", &Params::stop, "stop collecting when this many superblocks are free").range(1, 1'000'000);
            f("over_collect", &Params::over_collect,
              "moves paid by a host sector, as a multiple of the victim's break-even")
                .range(1.0, 1000.0);
            f.check([](const Params& p) -> std::optional<config::Complaint> {
                if (p.stop < p.start) {
                    return config::Complaint{{"stop", "start"},
                                             "collection would stop before it starts; make stop at least start"};
                }
                return std::nullopt;
            });
        }
    };
    explicit Threshold(Params params) : p_{params} {}

    void busy_period_begins(std::uint32_t /*free*/) override {}
    bool active(std::uint32_t free, bool was_active) override { return free < (was_active ? p_.stop : p_.start); }
    MoveRate rate(MoveRate break_even) override { return MoveRate::of(break_even.q16 / 65536.0 * p_.over_collect); }

private:
    Params p_;
};

}  // namespace

void add_trigger_threshold(Catalog& catalog) {
    catalog.registry<GcTrigger>("gc.trigger")
        .add<Threshold>("threshold", "active: keeps a few superblocks ahead, interleaved with host work");
}

}  // namespace ftlab::ftl
