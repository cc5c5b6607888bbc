// SPDX-License-Identifier: MIT
#include "ftl/builtin.h"
#include "ftl/gc/victim.h"
#include "sim/base/catalog.h"
#include "sim/base/random.h"

namespace ftlab::ftl {

namespace {

/// Any closed superblock, uniformly: WAF 1 / (1 - U/T) under uniform writes (Van Houdt 2013, d = 1).
class RandomVictim final : public VictimPolicy {
public:
    explicit RandomVictim(const RandomStreams& streams) : draw_{streams.stream("gc.victim.random")} {}
    SuperblockId choose(ClosedBlocks& closed) override {
        return closed.at(static_cast<std::uint32_t>(draw_.below(closed.size())));
    }

private:
    Random draw_;
};

}  // namespace

void add_victim_random(Catalog& catalog) {
    catalog.registry<VictimPolicy>("gc.victim").add<RandomVictim>("random", "any closed superblock, uniformly");
}

}  // namespace ftlab::ftl
