// SPDX-License-Identifier: MIT
#include "ftl/builtin.h"
#include "ftl/gc/victim.h"
#include "sim/base/catalog.h"

namespace ftlab::ftl {

namespace {

/// The circular log: the superblock that was closed first, whatever it holds (Menon 1995; Robinson 1996).
class Fifo final : public VictimPolicy {
public:
    SuperblockId choose(ClosedBlocks& closed) override { return closed.oldest(); }
};

}  // namespace

void add_victim_fifo(Catalog& catalog) {
    catalog.registry<VictimPolicy>("gc.victim").add<Fifo>("fifo", "the superblock that was closed first");
}

}  // namespace ftlab::ftl
