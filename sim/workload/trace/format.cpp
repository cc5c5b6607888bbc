// SPDX-License-Identifier: MIT
#include "sim/workload/trace/format.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/workload/trace/error.h"
#include "sim/workload/trace/formats/all.h"

namespace ftlab::workload {

namespace {

std::string known_formats() {
    std::string list;
    for (const TraceFormat* format : trace_formats()) {
        list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", format->name, format->pattern);
    }
    return list;
}

const TraceFormat& named_format(const std::string& file, const std::string& name) {
    for (const TraceFormat* format : trace_formats()) {
        if (format->name == name) {
            return *format;
        }
    }
    throw TraceError{file, 0, 0,
                     fmt::format("there is no trace format {}; choose one of {}", quoted(name), known_formats())};
}

const TraceFormat& recognised_format(TraceInput& input) {
    const TraceFormat* best = nullptr;
    const TraceFormat* rival = nullptr;
    unsigned best_score = 0;
    for (const TraceFormat* format : trace_formats()) {
        const unsigned score = format->score(input.head());
        if (score > best_score) {
            best_score = score;
            best = format;
            rival = nullptr;
        } else if (score == best_score) {
            rival = format;
        }
    }
    if (best == nullptr) {
        throw TraceError{
            input.name(), 0, 0,
            fmt::format("is in none of the trace formats {}; if it is one of them with an unusual beginning, "
                        "name it with --format",
                        known_formats())};
    }
    if (rival != nullptr) {
        throw TraceError{input.name(), 0, 0,
                         fmt::format("could be in the format {} or {}; choose with --format", best->name, rival->name)};
    }
    return *best;
}

std::unique_ptr<TraceReader> open(TraceInput input, const TraceOptions& options) {
    if (input.head().empty()) {
        throw TraceError{input.name(), 0, 0, "is empty; a trace has at least one request"};
    }
    const TraceFormat& format = options.format ? named_format(input.name(), *options.format) : recognised_format(input);
    return format.open(std::move(input), options);
}

}  // namespace

std::span<const TraceFormat* const> trace_formats() { return kTraceFormats; }

std::unique_ptr<TraceReader> open_trace(const std::string& path, const TraceOptions& options) {
    return open(TraceInput{path, open_file(path)}, options);
}

std::unique_ptr<TraceReader> open_trace_text(std::string name, std::string text, const TraceOptions& options) {
    return open(TraceInput{std::move(name), bytes_of(std::move(text))}, options);
}

}  // namespace ftlab::workload
