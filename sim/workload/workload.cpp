// SPDX-License-Identifier: MIT
#include "sim/workload/workload.h"

#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/base/quantity.h"
#include "sim/workload/mix.h"

namespace ftlab::workload {

namespace {

std::optional<config::Complaint> whole_lbas(const char* key, const std::optional<Bytes>& value) {
    if (value && *value % kLbaSize != Bytes{0}) {
        return config::Complaint{{key}, "must be a multiple of 512 B"};
    }
    return std::nullopt;
}

Shape shape_of(const WorkloadParams& params, Bytes capacity) {
    return {
        .span = span_of(params.span, capacity),
        .block = params.block / kLbaSize,
        .align = params.align.value_or(params.block) / kLbaSize,
        .op = Op::write,
        .fua = params.fua,
    };
}

}  // namespace

void SpanParams::describe(config::Fields<SpanParams>& f) {
    f("offset", &SpanParams::offset, "where it begins on the drive");
    f("size", &SpanParams::size, "how long it is; ~: to the end of the drive").at_least(kLbaSize);
    f("share", &SpanParams::share, "the same in parts of the whole drive").more_than(Ratio{0}).at_most(Ratio{1});
    f.check([](const SpanParams& p) { return whole_lbas("offset", p.offset); });
    f.check([](const SpanParams& p) { return whole_lbas("size", p.size); });
    f.check([](const SpanParams& p) -> std::optional<config::Complaint> {
        if (p.size && p.share) {
            return config::Complaint{{"size", "share"}, "must not both be given; leave one out"};
        }
        return std::nullopt;
    });
}

void WorkloadParams::describe(config::Fields<WorkloadParams>& f) {
    f("pattern", &WorkloadParams::pattern, "where the requests go");
    f("block", &WorkloadParams::block, "size of a request").at_least(kLbaSize);
    f("align", &WorkloadParams::align, "distance of possible starts, from the beginning of the span; ~: block")
        .at_least(kLbaSize);
    f("read_share", &WorkloadParams::read_share, "how many of the requests read").range(Ratio{0}, Ratio{1});
    f("trim_share", &WorkloadParams::trim_share, "how many of the requests trim").range(Ratio{0}, Ratio{1});
    f("fua", &WorkloadParams::fua, "writes are acknowledged only once they are on the media");
    f("span", &WorkloadParams::span, "the part of the drive that is used");
    f.check([](const WorkloadParams& p) { return whole_lbas("block", p.block); });
    f.check([](const WorkloadParams& p) { return whole_lbas("align", p.align); });
    f.check([](const WorkloadParams& p) -> std::optional<config::Complaint> {
        if (p.read_share.value + p.trim_share.value > 1) {
            return config::Complaint{{"read_share", "trim_share"}, "must not exceed 100% together"};
        }
        return std::nullopt;
    });
}

Span span_of(const SpanParams& params, Bytes capacity) {
    Bytes size = params.size.value_or(params.offset < capacity ? capacity - params.offset : Bytes{0});
    if (params.share) {
        const auto sectors = static_cast<double>(capacity / kSectorSize);
        size = kSectorSize * static_cast<std::uint64_t>(std::floor(sectors * params.share->value));
    }
    return {Lba{params.offset / kLbaSize}, size / kLbaSize};
}

std::vector<config::Complaint> complaints(const SpanParams& params, Bytes capacity) {
    std::vector<config::Complaint> found;
    const std::string drive = exact_text(capacity);
    if (params.offset >= capacity) {
        found.push_back({{"offset"}, fmt::format("must lie within the drive, which has {}", drive)});
    } else if (span_of(params, capacity).lbas > (capacity - params.offset) / kLbaSize) {
        found.push_back({{"offset", params.share ? "share" : "size"},
                         fmt::format("must not exceed the drive together, which has {}", drive)});
    } else if (span_of(params, capacity).lbas == 0) {
        found.push_back({{params.share ? "share" : "offset"},
                         fmt::format("must leave at least one {}", params.share ? "4 KiB sector" : "LBA")});
    }
    return found;
}

std::vector<config::Complaint> complaints(const WorkloadParams& params, Bytes capacity) {
    std::vector<config::Complaint> found = complaints(params.span, capacity);
    for (config::Complaint& complaint : found) {
        for (std::string& key : complaint.keys) {
            key.insert(0, "span.");
        }
    }
    if (!found.empty()) {
        return found;
    }
    const Shape shape = shape_of(params, capacity);
    if (!shape.valid()) {
        found.push_back(
            {{"block"}, fmt::format("must fit the span, which has {}", exact_text(kLbaSize * shape.span.lbas))});
    } else if (auto complaint = params.pattern.make(RandomStreams{0})->complaint(shape)) {
        for (std::string& key : complaint->keys) {
            key = fmt::format("pattern.{}.{}", params.pattern.name(), key);
        }
        found.push_back(std::move(*complaint));
    }
    return found;
}

std::unique_ptr<Source> start(const WorkloadParams& params,
                              Bytes capacity,
                              const RandomStreams& random,
                              std::string_view name) {
    FTLAB_CHECK(complaints(params, capacity).empty(), "a workload is checked against the drive before it starts");
    Shape shape = shape_of(params, capacity);
    // A mix of one operation needs no draws.
    const OpShares shares{.read = params.read_share, .trim = params.trim_share};
    const bool mixed = shares.read.value < 1 && shares.trim.value < 1 && shares.read.value + shares.trim.value > 0;
    if (!mixed) {
        shape.op = shares.read.value > 0 ? Op::read : shares.trim.value > 0 ? Op::trim : Op::write;
        shape.fua = shape.fua && shape.op == Op::write;
    }
    std::unique_ptr<Source> source =
        params.pattern.make(random)->start(shape, random.stream(fmt::format("{}.addresses", name)));
    if (mixed) {
        source = std::make_unique<OpMix>(std::move(source), shares, random.stream(fmt::format("{}.operations", name)));
    }
    return source;
}

}  // namespace ftlab::workload
