// SPDX-License-Identifier: MIT
#include "ftl/params.h"

#include <optional>

namespace ftlab::ftl {

void WriteBufferParams::describe(config::Fields<WriteBufferParams>& f) {
    f("size", &WriteBufferParams::size, "DRAM that holds acknowledged host data until its program ends")
        .range(Bytes{4096}, Bytes{std::uint64_t{16} << 30U});
    f.check([](const WriteBufferParams& p) -> std::optional<config::Complaint> {
        if (p.size % kSectorSize != Bytes{0}) {
            return config::Complaint{{"size"}, "must be a multiple of 4 KiB, the size of a slot"};
        }
        return std::nullopt;
    });
}

void GcParams::describe(config::Fields<GcParams>& f) {
    f("victim", &GcParams::victim, "which superblock is collected next");
    f("trigger", &GcParams::trigger, "when collection runs and how much of it a host sector pays for");
    f("collector", &GcParams::collector, "how a victim is copied");
    // With one, the copies of two victims could need more than the space that is left for them.
    f("reserve", &GcParams::reserve, "free superblocks that only garbage collection may open").range(2, 1000);
    f("debt_limit", &GcParams::debt_limit, "sectors of unpaid GC moves at which host programs wait")
        .range(1, 1'000'000);
}

void FtlParams::describe(config::Fields<FtlParams>& f) {
    f("write_buffer", &FtlParams::write_buffer, "the write buffer in DRAM");
    f("gc", &FtlParams::gc, "garbage collection");
    f("held_back_superblocks", &FtlParams::held_back_superblocks,
      "nominal superblocks that never hold data: the firmware's own, or a calibrated loss")
        .at_most(1'000'000);
}

}  // namespace ftlab::ftl
