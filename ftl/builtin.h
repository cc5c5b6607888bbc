// SPDX-License-Identifier: MIT
#pragma once

#include "sim/base/catalog.h"
#include "sim/base/config.h"

namespace ftlab::ftl {

// One function for each built-in policy, defined in the policy's own file: policies have no header.
void add_victim_greedy(Catalog& catalog);
void add_victim_fifo(Catalog& catalog);
void add_victim_random(Catalog& catalog);
void add_victim_d_choices(Catalog& catalog);
void add_trigger_threshold(Catalog& catalog);
void add_trigger_lazy(Catalog& catalog);

/// Adds every policy that comes with FTLab.
inline void add_builtin_policies(Catalog& catalog) {
    add_victim_greedy(catalog);
    add_victim_fifo(catalog);
    add_victim_random(catalog);
    add_victim_d_choices(catalog);
    add_trigger_threshold(catalog);
    add_trigger_lazy(catalog);
}

}  // namespace ftlab::ftl
