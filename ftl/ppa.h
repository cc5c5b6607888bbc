// SPDX-License-Identifier: MIT
#pragma once

#include "sim/base/id.h"

namespace ftlab::ftl {

/// A superblock: one good block of every plane of every die, written and collected as a whole.
using SuperblockId = Id<struct SuperblockTag>;

/// Physical address of a 4 KiB sector as the map stores it: superblock << shift | offset in write order (page, then die
/// channel first, then plane, then sector).  32 bits address up to 16 TiB.
using Ppa = Id<struct PpaTag>;

}  // namespace ftlab::ftl
