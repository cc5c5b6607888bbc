// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/config.h"
#include "sim/workload/address_map.h"
#include "sim/workload/source.h"
#include "sim/workload/trace/info.h"
#include "sim/workload/trace/reader.h"

namespace ftlab::workload {

/// What happens to requests that begin before byte 0, which traces of a partition may have.
enum class NegativeOffsets : std::uint8_t {
    refuse,  // the first one is an error
    skip,    // they are left out and counted
    shift,   // all addresses move up by the same multiple of 4 KiB, until the lowest is 0 or above
};

}  // namespace ftlab::workload

template <>
struct ftlab::config::EnumNames<ftlab::workload::Op> {
    using Op = ftlab::workload::Op;
    static constexpr EnumName<Op> kNames[] = {
        {Op::read, "read"}, {Op::write, "write"}, {Op::trim, "trim"}, {Op::flush, "flush"}};
};

template <>
struct ftlab::config::EnumNames<ftlab::workload::NegativeOffsets> {
    using Rule = ftlab::workload::NegativeOffsets;
    static constexpr EnumName<Rule> kNames[] = {{Rule::refuse, "refuse"}, {Rule::skip, "skip"}, {Rule::shift, "shift"}};
};

namespace ftlab::workload {

struct ReplayParams {
    std::string file = {};
    std::optional<std::string> format = std::nullopt;
    Ratio skip_bad{0};
    std::optional<std::uint32_t> disk = std::nullopt;
    std::vector<Op> ignore = {};
    NegativeOffsets negative = NegativeOffsets::refuse;
    AddressMapParams map = {};
    bool arrival_times = true;
    double speed = 1;

    static void describe(config::Fields<ReplayParams>& f);
    [[nodiscard]] TraceOptions trace_options() const { return {.format = format, .skip_bad = skip_bad}; }
};

/// What a replay did to the requests of its trace so far.
struct ReplayCounts {
    std::uint64_t delivered = 0;    ///< requests handed out
    std::uint64_t split = 0;        ///< extra ones among them: a request of the trace became several
    std::uint64_t ignored = 0;      ///< left out: ReplayParams::ignore
    std::uint64_t other_disks = 0;  ///< left out: ReplayParams::disk
    std::uint64_t negative = 0;     ///< left out: NegativeOffsets::skip
    std::uint64_t empty = 0;        ///< left out: covers nothing (any more), as a trim of what was never written
    std::uint64_t delayed = 0;      ///< stand after a request with a later stamp, and arrive together with that
    std::uint64_t trim_lbas_dropped = 0;
};

/// Plays a trace on a drive of a given size: the trace's order, filtered, mapped, with arrival times divided by
/// `speed`. An arrival is the latest stamp so far minus the first one of the trace, 0 without `arrival_times`.
///
/// Construction rehearses: unless the file is a pipe it is read to its end and every request is mapped, so that
/// whatever is wrong with the trace comes out as a TraceError before anything is simulated.  A pipe is checked on the
/// way, so fill() may throw TraceError; it cannot be scaled or shifted, which takes a first reading for the trace's
/// extent.
class Replay final : public Source {
public:
    using Open = std::function<std::unique_ptr<TraceReader>()>;

    /// Opens params.file.  `drive_lbas` must suit params.map (see complaint()).
    Replay(const ReplayParams& params, std::uint64_t drive_lbas);
    /// Takes the trace from `open`, which gives a reader at its beginning each time.
    Replay(Open open, bool rereadable, const ReplayParams& params, std::uint64_t drive_lbas);

    std::size_t fill(std::span<Request> out) override;
    [[nodiscard]] bool has_arrival_times() const override { return params_.arrival_times; }

    [[nodiscard]] const ReplayCounts& counts() const { return state_.counts; }
    [[nodiscard]] const TraceCounts& trace_counts() const { return state_.reader->counts(); }
    /// What the whole trace contains and what the whole replay will come to; none for a pipe.
    [[nodiscard]] const std::optional<TraceInfo>& info() const { return info_; }
    [[nodiscard]] const std::optional<ReplayCounts>& total() const { return total_; }

private:
    struct State {  // of one reading
        std::unique_ptr<TraceReader> reader;
        std::unique_ptr<AddressMap> map;
        ReplayCounts counts;
        std::optional<std::chrono::nanoseconds> first_stamp;
        std::chrono::nanoseconds latest_stamp{0};
        std::optional<std::uint32_t> disk;
        std::vector<Span> spans;    // of the request being handed out,
        std::size_t next_span = 0;  // from here on
        Request request;            // what they have in common
    };

    void rewind();
    /// Goes on to the next request of the trace that has something to do; false at the end.
    bool advance(TraceInfo* info);
    [[nodiscard]] bool wanted(const TraceRecord& record);
    [[nodiscard]] Time arrival(const TraceRecord& record);
    [[noreturn]] void refuse(const TraceRecord& record, const std::string& sentence) const;

    Open open_;
    ReplayParams params_;
    std::uint64_t drive_lbas_;
    std::uint64_t speed_millionths_;
    std::uint64_t shift_ = 0;       // bytes added to each offset
    std::uint64_t trace_lbas_ = 0;  // end of the trace after the shift; for `scale`
    std::optional<TraceInfo> info_;
    std::optional<ReplayCounts> total_;
    State state_;
};

}  // namespace ftlab::workload
