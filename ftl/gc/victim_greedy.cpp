// SPDX-License-Identifier: MIT
#include "ftl/builtin.h"
#include "ftl/gc/victim.h"
#include "sim/base/catalog.h"

namespace ftlab::ftl {

namespace {

/// Fewest valid sectors first (Rosenblum and Ousterhout 1992; analysed by Bux and Iliadis 2010): the least work for the
/// space gained now.
class Greedy final : public VictimPolicy {
public:
    SuperblockId choose(ClosedBlocks& closed) override { return closed.fewest_valid(); }
};

}  // namespace

void add_victim_greedy(Catalog& catalog) {
    catalog.registry<VictimPolicy>("gc.victim").add<Greedy>("greedy", "the superblock with the fewest valid sectors");
}

}  // namespace ftlab::ftl
