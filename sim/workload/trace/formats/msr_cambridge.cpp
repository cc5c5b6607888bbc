// SPDX-License-Identifier: MIT
// MSR Cambridge block traces (Narayanan et al., FAST 2008; SNIA IOTTA set 388), and the tab-separated derivative of the
// CASO authors that keeps only FILETIME, type, offset and size.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/workload/trace/error.h"
#include "sim/workload/trace/formats/all.h"
#include "sim/workload/trace/text.h"

namespace ftlab::workload {

namespace {

using FileTime = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;  // Windows: 100 ns
constexpr FileTime kLimit = std::chrono::duration_cast<FileTime>(kTraceStampLimit);

class MsrCambridgeParser final : public LineParser {
public:
    std::optional<TraceRecord> parse(std::string_view line) override {
        if (!seen_line_) {
            seen_line_ = true;  // a header stands first or nowhere
            if (line.starts_with("Timestamp")) {
                return std::nullopt;
            }
        }
        const bool full = line.find(',') != std::string_view::npos;
        LineFields fields{line, full ? Separator::comma : Separator::blanks};
        TraceRecord record;
        const std::uint64_t ticks = fields.number("time stamp");
        if (ticks > std::numeric_limits<std::int64_t>::max()) {
            fields.refuse("time stamp", "is no Windows FILETIME");
        }
        const auto time = FileTime{static_cast<std::int64_t>(ticks)};
        const FileTime since_first = time - first_time_.value_or(time);  // both are positive: no overflow
        if (since_first >= kLimit || since_first <= -kLimit) {
            fields.refuse("time stamp", "lies more than 146 years from the first");
        }
        record.stamp = since_first;
        std::string_view host;
        if (full) {
            host = fields.text("host name");
            if (first_time_ && host != host_) {
                fields.refuse("host name",
                              "is not " + quoted(host_) + " as in the lines before; a trace is of one host");
            }
            const std::uint64_t disk = fields.number("disk number");
            if (disk > std::numeric_limits<std::uint32_t>::max()) {
                fields.refuse("disk number", "does not fit in 32 bits");
            }
            record.device = static_cast<std::uint32_t>(disk);
        }
        record.op =
            fields.op("type", {{"Read", Op::read}, {"Write", Op::write}, {"read", Op::read}, {"write", Op::write}});
        record.offset = static_cast<std::int64_t>(fields.bytes("offset"));
        record.size = fields.bytes("size");
        if (full) {
            fields.number("response time");
        }
        fields.expect_end();
        if (!first_time_) {
            first_time_ = time;
            host_ = host;
        }
        return record;
    }

private:
    bool seen_line_ = false;
    std::optional<FileTime> first_time_;
    std::string host_;
};

bool looks_right(std::string_view line) {
    const bool full = line.find(',') != std::string_view::npos;
    LineFields fields{line, full ? Separator::comma : Separator::blanks};
    try {
        fields.number("time stamp");
        if (full) {
            fields.text("host name");
            fields.number("disk number");
        }
        fields.op("type", {{"Read", Op::read}, {"Write", Op::write}, {"read", Op::read}, {"write", Op::write}});
        fields.text("offset");
        fields.text("size");
        return true;
    } catch (const LineError&) {
        return false;
    }
}

}  // namespace

const TraceFormat kMsrCambridge{
    .name = "msr",
    .pattern = "FILETIME,host,disk,Read|Write,offset,size,response or FILETIME Read|Write offset size",
    .score = [](std::string_view head) { return score_lines(head, looks_right); },
    .open =
        [](TraceInput input, const TraceOptions& options) {
            return make_text_reader(std::move(input), options, std::make_unique<MsrCambridgeParser>());
        },
};

}  // namespace ftlab::workload
