// SPDX-License-Identifier: MIT
#include "ftl/builtin.h"
#include "ftl/gc/victim.h"
#include "sim/base/catalog.h"
#include "sim/base/random.h"

namespace ftlab::ftl {

namespace {

/// The fewest valid sectors among d draws with replacement (Van Houdt, SIGMETRICS 2013; Li, Lee and Lui 2013): nearly
/// greedy at d = 10 without an index of valid counts.
class DChoices final : public VictimPolicy {
public:
    struct Params {
        std::uint32_t d = 10;
        static void describe(config::Fields<Params>& f) {
            f("d", &Params::d, "superblocks drawn, uniformly and with replacement").range(1, 1000);
        }
    };
    DChoices(Params params, const RandomStreams& streams)
        : d_{params.d}, draw_{streams.stream("gc.victim.d_choices")} {}

    SuperblockId choose(ClosedBlocks& closed) override {
        SuperblockId best = draw(closed);
        for (std::uint32_t i = 1; i < d_; ++i) {
            const SuperblockId other = draw(closed);
            best = closed.valid(other) < closed.valid(best) ? other : best;
        }
        return best;
    }

private:
    SuperblockId draw(const ClosedBlocks& closed) {
        return closed.at(static_cast<std::uint32_t>(draw_.below(closed.size())));
    }

    std::uint32_t d_;
    Random draw_;
};

}  // namespace

void add_victim_d_choices(Catalog& catalog) {
    catalog.registry<VictimPolicy>("gc.victim")
        .add<DChoices>("d_choices", "the fewest valid sectors of d random draws");
}

}  // namespace ftlab::ftl
