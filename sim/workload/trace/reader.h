// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sim/base/units.h"
#include "sim/workload/request.h"

namespace ftlab::workload {

/// One request as a trace has it: not yet fitted to any drive.
struct TraceRecord {
    std::chrono::nanoseconds stamp{0};  ///< since an instant that the format chooses; may go backwards
    std::int64_t offset = 0;            ///< bytes, a multiple of 512; negative where a format counts from a partition
    std::uint64_t size = 0;             ///< bytes, a multiple of 512; may be 0
    std::uint64_t line = 0;             ///< where it stands, from 1 (binary formats: number of the record)
    std::uint32_t device = 0;           ///< offsets of different devices are in different address spaces
    Op op = Op::read;
    bool fua = false;

    [[nodiscard]] std::int64_t end() const { return offset + static_cast<std::int64_t>(size); }
};

/// Offsets, sizes and stamps stay below these, in magnitude, so that sums of two never overflow.
inline constexpr std::int64_t kTraceByteLimit = std::int64_t{1} << 62U;              // 4 EiB: more than any drive
inline constexpr std::chrono::nanoseconds kTraceStampLimit{std::int64_t{1} << 62U};  // 146 years

/// How a trace is read.
struct TraceOptions {
    std::optional<std::string> format = std::nullopt;  ///< by name; without it, told from the content
    Ratio skip_bad{0};  ///< largest share of damaged lines that is skipped and counted; 0: refuse the first
};

/// What a reader has met so far.
struct TraceCounts {
    std::uint64_t requests = 0;
    std::uint64_t other_lines = 0;    ///< no requests by the format's rule: completions, a header, blank lines
    std::uint64_t damaged_lines = 0;  ///< skipped by TraceOptions::skip_bad
    std::string first_damaged;        ///< the error that the first of them would have been
};

/// Reads a trace from front to end in constant memory, whatever its length.
class TraceReader {
public:
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;
    virtual ~TraceReader() = default;

    /// The next request; false at the end.  Throws TraceError at what cannot be understood and may not be skipped;
    /// there is no going on after that.
    virtual bool next(TraceRecord& record) = 0;

    [[nodiscard]] const TraceCounts& counts() const { return counts_; }
    [[nodiscard]] const std::string& file() const { return file_; }

protected:
    explicit TraceReader(std::string file) : file_{std::move(file)} {}

    TraceCounts counts_;

private:
    std::string file_;
};

/// Opens a trace.  Throws TraceError where the file cannot be read, is empty, is in no known format, or where the
/// content fits several and no format is given.
std::unique_ptr<TraceReader> open_trace(const std::string& path, const TraceOptions& options);

/// The same for text that is already in memory; `name` stands in errors.
std::unique_ptr<TraceReader> open_trace_text(std::string name, std::string text, const TraceOptions& options);

}  // namespace ftlab::workload
