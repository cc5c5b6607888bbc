// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/request.h"
#include "sim/workload/trace/reader.h"
#include "sim/workload/trace/sector_set.h"

namespace ftlab::workload {

/// How often each request size occurs.  Exact in constant memory up to 16 MiB; sizes above share a counter with all
/// between the same powers of two, and count as the lower one.
class SizeCounts {
public:
    struct Count {
        Bytes size;
        std::uint64_t requests = 0;
    };

    void add(Bytes size);
    /// The size at place n/2 of all n in ascending order.  Zero when there are none.
    [[nodiscard]] Bytes median() const;
    /// The most frequent sizes, most frequent first, larger first among equals.
    [[nodiscard]] std::vector<Count> top(std::size_t n) const;

private:
    static constexpr std::uint64_t kExact = (std::uint64_t{16} << 20U) / kLbaSize.count;

    [[nodiscard]] std::vector<Count> all() const;

    std::vector<std::uint64_t> exact_;         // by LBAs, as far as there are any; at most kExact + 1
    std::array<std::uint64_t, 64> octaves_{};  // by the exponent of the bytes
};

/// What a trace contains, before anything is mapped, filtered or scaled.
class TraceInfo {
public:
    struct PerOp {
        std::uint64_t requests = 0;
        Bytes bytes;
    };

    /// Footprints need memory in proportion to what they find (SectorSet), so they are measured on demand.
    explicit TraceInfo(bool with_footprint = false);

    void add(const TraceRecord& record);

    [[nodiscard]] std::uint64_t requests() const { return requests_; }
    [[nodiscard]] const PerOp& of(Op op) const { return ops_[static_cast<std::size_t>(op)]; }
    /// The bytes that requests cover lie in [lowest, highest); both 0 when there are none.
    [[nodiscard]] std::int64_t lowest() const { return lowest_.value_or(0); }
    [[nodiscard]] std::int64_t highest() const { return highest_.value_or(0); }
    [[nodiscard]] Bytes smallest() const { return smallest_.value_or(Bytes{0}); }
    [[nodiscard]] Bytes median() const { return sizes_.median(); }
    [[nodiscard]] Bytes largest() const { return largest_; }
    [[nodiscard]] const SizeCounts& sizes() const { return sizes_; }
    /// From the earliest to the latest stamp.
    [[nodiscard]] std::chrono::nanoseconds duration() const { return latest_ - earliest_; }
    /// Requests whose start or size is no multiple of 4 KiB.
    [[nodiscard]] std::uint64_t unaligned() const { return unaligned_; }
    /// Requests that stand after one with a later stamp.
    [[nodiscard]] std::uint64_t inversions() const { return inversions_; }
    /// Requests of size 0 that are no flush.
    [[nodiscard]] std::uint64_t empty() const { return empty_; }
    /// How many devices there are, each with an address space of its own; counts no further than 65536.
    [[nodiscard]] std::size_t devices() const { return devices_.size(); }

    /// 4 KiB sectors that the writes touch, each time counted: what a drive with such sectors has to program.
    [[nodiscard]] std::uint64_t sector_writes() const { return sector_writes_; }

    /// Different 4 KiB sectors that reads and writes touch, or writes alone; only if asked for.
    [[nodiscard]] std::optional<std::uint64_t> touched_sectors() const;
    [[nodiscard]] std::optional<std::uint64_t> written_sectors() const;

private:
    std::uint64_t requests_ = 0;
    std::array<PerOp, kOps.size()> ops_{};
    std::optional<std::int64_t> lowest_;
    std::optional<std::int64_t> highest_;
    std::optional<Bytes> smallest_;
    Bytes largest_;
    SizeCounts sizes_;
    std::chrono::nanoseconds earliest_{0};
    std::chrono::nanoseconds latest_{0};
    std::chrono::nanoseconds previous_{0};
    std::uint64_t unaligned_ = 0;
    std::uint64_t inversions_ = 0;
    std::uint64_t empty_ = 0;
    std::uint64_t sector_writes_ = 0;
    std::unordered_set<std::uint32_t> devices_;
    std::optional<SectorSet> touched_;
    std::optional<SectorSet> written_;
};

/// Reads a trace to its end.
TraceInfo survey(TraceReader& reader, bool with_footprint = false);

/// One line with all of it: requests, mix, bytes, span, sizes, duration, footprint, alignment, inversions.
std::string to_text(const TraceInfo& info);

}  // namespace ftlab::workload
