// SPDX-License-Identifier: MIT
#include <algorithm>

#include "ftl/builtin.h"
#include "ftl/gc/trigger.h"
#include "sim/base/catalog.h"

namespace ftlab::ftl {

namespace {

/// Clean up later, as the Plextor M5M does by its published behaviour (feasibility.md sections 1 and 2).
///
/// After power-up or an idle collection the host runs at full speed until it has used `start_after_used` superblocks,
/// or until only `mark_max` are left.  From then on each host sector pays the moves that break even for the current
/// victim, but never more than `max_moves`: with full victims the drive loses free space slowly, until the host has to
/// stop for a superblock.  A mark relative to the pool at the start of the busy period is what lets idle time buy back
/// the fast stage; a fixed mark does not (feasibility.md section 5.4).
class Lazy final : public GcTrigger {
public:
    struct Params {
        std::uint32_t start_after_used = 13;
        std::uint32_t mark_min = 6;
        std::uint32_t mark_max = 40;
        double max_moves = 5.6;
        double over_collect = 1.04;
        Duration idle_after{1'000'000'000'000};
        std::uint32_t idle_surplus = 20;
        // Chosen: space bought in idle time may cost twice the wear of the worst load, uniform random writes over a
        // full drive of 7% over-provisioning (a WAF of about 10).  Without a bound, a drive that was filled and is
        // hardly written copies itself in every pause: 117 to 176 times what the host of wdev_3 writes.
        Ratio idle_least_gain{0.05};

        static void describe(config::Fields<Params>& f) {
            f("start_after_used", &Params::start_after_used,
              "superblocks the host may use after power-up or idle collection before GC begins")
                .at_most(1'000'000);
            f("mark_min", &Params::mark_min, "GC begins at the latest below this many free superblocks")
                .range(1, 1'000'000);
            f("mark_max", &Params::mark_max, "GC never begins above this many free superblocks").range(1, 1'000'000);
            f("max_moves", &Params::max_moves, "most sectors moved for one host sector while the host runs")
                .range(0.0, 10'000.0);
            f("over_collect", &Params::over_collect,
              "moves paid by a host sector, as a multiple of the victim's break-even")
                .range(1.0, 1000.0);
            f("idle_after", &Params::idle_after, "host silence after which idle collection begins");
            f("idle_surplus", &Params::idle_surplus, "idle collection ends this many free superblocks above the mark")
                .at_most(1'000'000);
            f("idle_least_gain", &Params::idle_least_gain,
              "least share of a victim that must be free for idle collection to take it; with less to gain it stops")
                .range(Ratio{0}, Ratio{1});
            f.check([](const Params& p) -> std::optional<config::Complaint> {
                if (p.mark_max < p.mark_min) {
                    return config::Complaint{{"mark_max", "mark_min"},
                                             "must not be below the least mark; exchange the two"};
                }
                return std::nullopt;
            });
        }
    };
    explicit Lazy(Params params) : p_{params}, mark_{params.mark_max} {}

    void busy_period_begins(std::uint32_t free) override {
        const std::uint32_t left = free > p_.start_after_used ? free - p_.start_after_used : 0;
        mark_ = std::clamp(left, p_.mark_min, p_.mark_max);
    }
    bool active(std::uint32_t free, bool /*was_active*/) override { return free < mark_; }
    MoveRate rate(MoveRate break_even) override {
        return std::min(MoveRate::of(p_.max_moves), MoveRate::of(break_even.q16 / 65536.0 * p_.over_collect));
    }
    [[nodiscard]] std::optional<Duration> idle_after() const override { return p_.idle_after; }
    bool idle_wants(std::uint32_t free) override { return free < mark_ + p_.idle_surplus; }
    [[nodiscard]] Ratio idle_least_gain() const override { return p_.idle_least_gain; }

private:
    Params p_;
    std::uint32_t mark_;
};

}  // namespace

void add_trigger_lazy(Catalog& catalog) {
    catalog.registry<GcTrigger>("gc.trigger")
        .add<Lazy>("lazy",
                   "clean up later: full speed first, capped interleaved GC then, and stops when nothing is left");
}

}  // namespace ftlab::ftl
