// SPDX-License-Identifier: MIT
#include "sim/workload/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/workload/trace/error.h"
#include "sim/workload/trace/input.h"

namespace ftlab::workload {

namespace {
constexpr double kSpeedUnit = 1e6;  // simulated time is integer: the speed is a whole number of millionths

Replay::Open opener(const ReplayParams& params) {
    return [file = params.file, options = params.trace_options()] { return open_trace(file, options); };
}
}  // namespace

void ReplayParams::describe(config::Fields<ReplayParams>& f) {
    f("file", &ReplayParams::file, "the trace").required().non_empty();
    f("format", &ReplayParams::format, "its format by name; ~: told from its content");
    f("skip_bad", &ReplayParams::skip_bad, "largest share of damaged lines that is skipped and counted")
        .range(Ratio{0}, Ratio{1});
    f("disk", &ReplayParams::disk, "which disk of a trace of several; ~: the trace has one");
    f("ignore", &ReplayParams::ignore, "operations to leave out, as in [trim, flush]");
    f("negative", &ReplayParams::negative,
      "requests that begin before byte 0: refuse; skip; shift (all addresses move up, in steps of 4 KiB)");
    f("map", &ReplayParams::map, "how the trace's addresses fit the drive");
    f("arrival_times", &ReplayParams::arrival_times,
      "requests arrive by their time stamps (open loop); false for a closed loop, which does not look at them");
    f("speed", &ReplayParams::speed, "arrival times are divided by this, to a millionth").range(1e-6, 1e6);
}

Replay::Replay(const ReplayParams& params, std::uint64_t drive_lbas)
    : Replay{opener(params), is_rereadable(params.file), params, drive_lbas} {}

Replay::Replay(Open open, bool rereadable, const ReplayParams& params, std::uint64_t drive_lbas)
    : open_{std::move(open)},
      params_{params},
      drive_lbas_{drive_lbas},
      speed_millionths_{static_cast<std::uint64_t>(std::llround(params.speed * kSpeedUnit))} {
    FTLAB_CHECK(speed_millionths_ > 0, "the speed of a replay is positive");
    if (params.negative == NegativeOffsets::shift || params.map.rule == AddressRule::scale) {
        const std::unique_ptr<TraceReader> reader = open_();
        if (!rereadable) {
            throw TraceError{reader->file(), 0, 0,
                             "is a pipe, and scale and shift need to read the trace twice; store it in a file first"};
        }
        const TraceInfo info = survey(*reader);
        if (params.negative == NegativeOffsets::shift && info.lowest() < 0) {
            const auto below = static_cast<std::uint64_t>(-info.lowest());
            shift_ = (below + kSectorSize.count - 1) / kSectorSize.count * kSectorSize.count;
        }
        const std::int64_t end = info.highest() + static_cast<std::int64_t>(shift_);
        trace_lbas_ = static_cast<std::uint64_t>(std::max<std::int64_t>(end, 0)) / kLbaSize.count;
    }
    rewind();
    if (rereadable) {
        info_.emplace();
        while (advance(&*info_)) {
        }
        if (state_.counts.delivered == 0) {
            throw TraceError{
                state_.reader->file(), 0, 0,
                fmt::format("leaves nothing to play: of its {} requests, {} are ignored, {} are on other disks, "
                            "{} have negative offsets and {} are empty",
                            info_->requests(), state_.counts.ignored, state_.counts.other_disks, state_.counts.negative,
                            state_.counts.empty)};
        }
        total_ = state_.counts;
        rewind();
    }
}

void Replay::rewind() {
    state_ = State{};
    state_.reader = open_();
    state_.map = make_address_map(params_.map, drive_lbas_, trace_lbas_);
}

std::size_t Replay::fill(std::span<Request> out) {
    for (std::size_t filled = 0; filled < out.size(); ++filled) {
        if (state_.next_span == state_.spans.size() && !advance(nullptr)) {
            return filled;
        }
        const Span span = state_.spans[state_.next_span++];
        out[filled] = state_.request;
        out[filled].first = span.first;
        out[filled].lbas = span.lbas;
    }
    return out.size();
}

bool Replay::advance(TraceInfo* info) {
    state_.spans.clear();
    state_.next_span = 0;
    TraceRecord record;
    while (state_.reader->next(record)) {
        if (info != nullptr) {
            info->add(record);
        }
        const Time at = arrival(record);
        if (!wanted(record)) {
            continue;
        }
        const std::uint64_t offset = static_cast<std::uint64_t>(record.offset) + shift_;
        state_.request = Request{.arrival = at, .op = record.op, .fua = record.fua};
        if (record.op == Op::flush) {
            state_.spans.assign(1, Span{});
        } else if (const auto problem = state_.map->map(
                       record.op, Span{Lba{offset / kLbaSize.count}, record.size / kLbaSize.count}, state_.spans)) {
            refuse(record, fmt::format("the {} of {} B at byte {} {}", name_of(record.op), record.size, record.offset,
                                       *problem));
        }
        state_.counts.trim_lbas_dropped = state_.map->dropped();
        if (state_.spans.empty()) {
            ++state_.counts.empty;
            continue;
        }
        state_.counts.delivered += state_.spans.size();
        state_.counts.split += state_.spans.size() - 1;
        return true;
    }
    return false;
}

bool Replay::wanted(const TraceRecord& record) {
    const std::uint32_t disk = params_.disk.value_or(state_.disk.value_or(record.device));
    if (record.device != disk) {
        if (!params_.disk) {
            refuse(record,
                   fmt::format("the request is for disk {}, those before for disk {}, and each has addresses of its "
                               "own; choose one with --disk {}",
                               record.device, disk, disk));
        }
        ++state_.counts.other_disks;
        return false;
    }
    state_.disk = disk;
    if (std::find(params_.ignore.begin(), params_.ignore.end(), record.op) != params_.ignore.end()) {
        ++state_.counts.ignored;
        return false;
    }
    if (record.op == Op::flush) {
        return true;
    }
    if (record.offset + static_cast<std::int64_t>(shift_) < 0) {
        if (params_.negative == NegativeOffsets::refuse) {
            refuse(record,
                   fmt::format("the offset {} is negative; leave such requests out with --negative skip, or move all "
                               "addresses up with --negative shift",
                               record.offset));
        }
        ++state_.counts.negative;
        return false;
    }
    if (record.size == 0) {
        ++state_.counts.empty;
        return false;
    }
    return true;
}

Time Replay::arrival(const TraceRecord& record) {
    if (!state_.first_stamp) {
        state_.first_stamp = record.stamp;
        state_.latest_stamp = record.stamp;
    }
    if (record.stamp < state_.latest_stamp) {
        ++state_.counts.delayed;
    }
    state_.latest_stamp = std::max(state_.latest_stamp, record.stamp);
    if (!params_.arrival_times) {
        return Time{0};
    }
    const std::chrono::nanoseconds elapsed = state_.latest_stamp - *state_.first_stamp;
    __extension__ using Wide = __int128;
    const Wide picoseconds = static_cast<Wide>(elapsed.count()) * 1000 * static_cast<Wide>(kSpeedUnit) /
                             static_cast<Wide>(speed_millionths_);
    if (picoseconds >= kNever.count()) {
        refuse(record,
               "the request arrives more than 106 days after the first, which is beyond simulated time; is the time "
               "stamp right? if so, raise --speed");
    }
    return Time{static_cast<std::int64_t>(picoseconds)};
}

void Replay::refuse(const TraceRecord& record, const std::string& sentence) const {
    throw TraceError{state_.reader->file(), record.line, 0, sentence};
}

}  // namespace ftlab::workload
