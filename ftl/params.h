// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ftl/gc/collector.h"
#include "ftl/gc/trigger.h"
#include "ftl/gc/victim.h"
#include "sim/base/config.h"
#include "sim/base/units.h"

namespace ftlab::ftl {

struct WriteBufferParams {
    Bytes size{16U << 20U};
    static void describe(config::Fields<WriteBufferParams>& f);
};

struct GcParams {
    config::Choice<VictimPolicy> victim{"greedy"};
    config::Choice<GcTrigger> trigger{"threshold"};
    CollectorParams collector;
    std::uint32_t reserve = 2;
    std::uint32_t debt_limit = 256;
    static void describe(config::Fields<GcParams>& f);
};

struct FtlParams {
    WriteBufferParams write_buffer;
    GcParams gc;
    std::uint32_t held_back_superblocks = 0;
    static void describe(config::Fields<FtlParams>& f);
};

}  // namespace ftlab::ftl
