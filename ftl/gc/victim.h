// SPDX-License-Identifier: MIT
#pragma once

#include "ftl/gc/closed_blocks.h"
#include "ftl/ppa.h"

namespace ftlab::ftl {

/// Which superblock garbage collection takes next.  Each answer is one .cpp beside this header; see ftl/README.md.
class VictimPolicy {
public:
    virtual ~VictimPolicy() = default;
    /// One of `closed`, which is not empty.
    virtual SuperblockId choose(ClosedBlocks& closed) = 0;
};

}  // namespace ftlab::ftl
