// SPDX-License-Identifier: MIT
#pragma once

#include "sim/base/units.h"

namespace ftlab::device {

/// The three ways in which people state how much more flash than user capacity a drive has.
struct Spare {
    Bytes user;
    Bytes raw;                     ///< nominal capacity of the flash, without extended blocks
    Bytes usable;                  ///< what superblocks can hold: raw less what is held back
    double over_provisioning = 0;  ///< raw / user - 1
    double spare_factor = 0;       ///< (usable - user) / usable, Sf of theory.md
};

}  // namespace ftlab::device
