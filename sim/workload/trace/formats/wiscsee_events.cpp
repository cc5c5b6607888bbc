// SPDX-License-Identifier: MIT
// Event text of WiscSee (He et al., EuroSys 2017): pid, action, operation, offset, size, time stamp, wait, sync.
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/workload/trace/formats/all.h"
#include "sim/workload/trace/text.h"

namespace ftlab::workload {

namespace {

class WiscseeParser final : public LineParser {
public:
    /// A request is an issue (D); completions (C) tell how long the original drive took, which is not ours.  The sync
    /// flag is that of the block layer, which says who waits and not what the drive must do: it is not FUA.
    std::optional<TraceRecord> parse(std::string_view line) override {
        LineFields fields{line, Separator::blanks};
        TraceRecord record;
        fields.number("process id");
        const std::string_view action = fields.text("action");
        const bool issued = action == "D";
        if (!issued && action != "C") {
            fields.refuse("action", "is neither D (issued) nor C (completed)");
        }
        record.op = fields.op("operation", {{"read", Op::read}, {"write", Op::write}, {"discard", Op::trim}});
        record.offset = fields.signed_bytes("offset");
        record.size = fields.bytes("size");
        record.stamp = fields.seconds("time stamp");
        fields.text("wait");
        const std::string_view sync = fields.text("sync flag");
        if (sync != "True" && sync != "False") {
            fields.refuse("sync flag", "is neither True nor False");
        }
        fields.expect_end();
        return issued ? std::optional{record} : std::nullopt;
    }
};

bool looks_right(std::string_view line) {
    LineFields fields{line, Separator::blanks};
    try {
        fields.number("process id");
        const std::string_view action = fields.text("action");
        fields.op("operation", {{"read", Op::read}, {"write", Op::write}, {"discard", Op::trim}});
        return action == "D" || action == "C";
    } catch (const LineError&) {
        return false;
    }
}

}  // namespace

const TraceFormat kWiscseeEvents{
    .name = "wiscsee",
    .pattern = "pid D|C read|write|discard offset size seconds wait True|False",
    .score = [](std::string_view head) { return score_lines(head, looks_right); },
    .open =
        [](TraceInput input, const TraceOptions& options) {
            return make_text_reader(std::move(input), options, std::make_unique<WiscseeParser>());
        },
};

}  // namespace ftlab::workload
