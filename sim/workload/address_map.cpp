// SPDX-License-Identifier: MIT
#include "sim/workload/address_map.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/check.h"

namespace ftlab::workload {

namespace {

std::uint64_t whole_sectors(std::uint64_t lbas) { return lbas - lbas % kLbasPerSector; }

std::string too_large(std::uint64_t lbas, std::uint64_t drive) {
    return fmt::format("covers {} LBAs, more than the {} of the drive; choose a larger drive", lbas, drive);
}

class RefuseBeyond final : public AddressMap {
public:
    explicit RefuseBeyond(std::uint64_t drive) : drive_{drive} {}

    std::optional<std::string> map(Op /*op*/, Span span, std::vector<Span>& spans) override {
        spans.clear();
        if (span.end() > drive_) {
            return fmt::format(
                "ends at LBA {}, beyond the {} LBAs of the drive; choose a larger drive, or a rule for such "
                "addresses: --map wrap, scale or compact",
                span.end(), drive_);
        }
        spans.push_back(span);
        return std::nullopt;
    }

private:
    std::uint64_t drive_;
};

class Wrap final : public AddressMap {
public:
    explicit Wrap(std::uint64_t drive) : drive_{whole_sectors(drive)} {}

    std::optional<std::string> map(Op op, Span span, std::vector<Span>& spans) override {
        spans.clear();
        if (span.lbas > drive_) {
            if (op != Op::trim) {
                return too_large(span.lbas, drive_);
            }
            dropped_ += span.lbas - drive_;
            span.lbas = drive_;
        }
        const std::uint64_t first = span.first.value % drive_;
        const std::uint64_t before_end = std::min(span.lbas, drive_ - first);
        spans.push_back({Lba{first}, before_end});
        if (before_end < span.lbas) {
            spans.push_back({Lba{0}, span.lbas - before_end});
        }
        return std::nullopt;
    }

private:
    std::uint64_t drive_;
};

class Scale final : public AddressMap {
public:
    Scale(std::uint64_t drive, std::uint64_t trace)
        : drive_{whole_sectors(drive)}, trace_{std::max(drive_, whole_sectors(trace + kLbasPerSector - 1))} {}

    std::optional<std::string> map(Op op, Span span, std::vector<Span>& spans) override {
        spans.clear();
        const std::uint64_t in_sector = span.first.value % kLbasPerSector;
        if (in_sector + span.lbas > drive_) {
            if (op != Op::trim) {
                return too_large(span.lbas, drive_);
            }
            const std::uint64_t kept = drive_ - in_sector;
            dropped_ += span.lbas - kept;
            span.lbas = kept;
        }
        __extension__ using Wide = unsigned __int128;
        const std::uint64_t sector = span.first.value / kLbasPerSector;
        const auto scaled = static_cast<std::uint64_t>(static_cast<Wide>(sector) * drive_ / trace_);
        // A request that would now cross the end of the drive moves back by whole sectors.
        const std::uint64_t last_fit = (drive_ - in_sector - span.lbas) / kLbasPerSector;
        spans.push_back({Lba{std::min(scaled, last_fit) * kLbasPerSector + in_sector}, span.lbas});
        return std::nullopt;
    }

private:
    std::uint64_t drive_;
    std::uint64_t trace_;
};

class Compact final : public AddressMap {
public:
    Compact(std::uint64_t drive, Bytes chunk) : chunk_{chunk / kLbaSize}, chunks_{drive / chunk_} {}

    std::optional<std::string> map(Op op, Span span, std::vector<Span>& spans) override {
        spans.clear();
        if (op == Op::trim) {
            map_trim(span, spans);
            return std::nullopt;
        }
        for (std::uint64_t first = span.first.value; first < span.end();) {
            const std::uint64_t chunk = first / chunk_;
            auto place = places_.find(chunk);
            if (place == places_.end()) {
                if (places_.size() == chunks_) {
                    return fmt::format(
                        "touches more than the {} chunks of {} that the drive holds; choose a larger drive "
                        "or a smaller chunk",
                        chunks_, exact_text(kLbaSize * chunk_));
                }
                place = places_.emplace(chunk, places_.size()).first;
            }
            first += append_part(span, chunk, place->second, spans);
        }
        return std::nullopt;
    }

private:
    /// Trims take no places: what was never touched has nothing to forget.
    void map_trim(Span span, std::vector<Span>& spans) {
        const std::uint64_t first_chunk = span.first.value / chunk_;
        const std::uint64_t end_chunk = (span.end() + chunk_ - 1) / chunk_;
        std::uint64_t kept = 0;
        if (end_chunk - first_chunk <= places_.size()) {
            for (std::uint64_t chunk = first_chunk; chunk < end_chunk; ++chunk) {
                if (const auto place = places_.find(chunk); place != places_.end()) {
                    kept += append_part(span, chunk, place->second, spans);
                }
            }
        } else {  // a trim of a whole device: the chunks we know are fewer
            std::vector<std::pair<std::uint64_t, std::uint64_t>> known;
            for (const auto& [chunk, place] : places_) {
                if (chunk >= first_chunk && chunk < end_chunk) {
                    known.emplace_back(chunk, place);
                }
            }
            std::sort(known.begin(), known.end());
            for (const auto& [chunk, place] : known) {
                kept += append_part(span, chunk, place, spans);
            }
        }
        dropped_ += span.lbas - kept;
    }

    /// Appends what of `span` lies in `chunk`; returns how many LBAs that is.
    std::uint64_t append_part(Span span, std::uint64_t chunk, std::uint64_t place, std::vector<Span>& spans) const {
        const std::uint64_t first = std::max(span.first.value, chunk * chunk_);
        const std::uint64_t lbas = std::min(span.end(), (chunk + 1) * chunk_) - first;
        const std::uint64_t to = place * chunk_ + first % chunk_;
        if (!spans.empty() && spans.back().end() == to) {
            spans.back().lbas += lbas;
        } else {
            spans.push_back({Lba{to}, lbas});
        }
        return lbas;
    }

    std::uint64_t chunk_;
    std::uint64_t chunks_;
    std::unordered_map<std::uint64_t, std::uint64_t> places_;  // chunk of the trace -> chunk of the drive
};

}  // namespace

void AddressMapParams::describe(config::Fields<AddressMapParams>& f) {
    f("rule", &AddressMapParams::rule,
      "addresses beyond the drive: refuse; wrap (modulo the drive); scale (starts times drive over trace); compact "
      "(chunks take places in the order of their first read or write)");
    f("chunk", &AddressMapParams::chunk, "compact: what stays together; a multiple of 4 KiB").at_least(kSectorSize);
    f.check([](const AddressMapParams& p) -> std::optional<config::Complaint> {
        if (p.chunk % kSectorSize != Bytes{0}) {
            return config::Complaint{{"chunk"}, "must be a multiple of 4 KiB"};
        }
        return std::nullopt;
    });
}

std::optional<config::Complaint> complaint(const AddressMapParams& params, std::uint64_t drive_lbas) {
    const Bytes drive = kLbaSize * drive_lbas;
    if (drive < kSectorSize) {
        return config::Complaint{{"rule"}, "needs a drive of at least one 4 KiB sector"};
    }
    if (params.rule == AddressRule::compact && params.chunk > drive) {
        return config::Complaint{{"chunk"}, fmt::format("must not exceed the drive, which has {}", exact_text(drive))};
    }
    return std::nullopt;
}

std::unique_ptr<AddressMap> make_address_map(const AddressMapParams& params,
                                             std::uint64_t drive_lbas,
                                             std::uint64_t trace_lbas) {
    FTLAB_CHECK(!complaint(params, drive_lbas), "address rules are checked against the drive before they are made");
    switch (params.rule) {
        case AddressRule::refuse:
            return std::make_unique<RefuseBeyond>(drive_lbas);
        case AddressRule::wrap:
            return std::make_unique<Wrap>(drive_lbas);
        case AddressRule::scale:
            return std::make_unique<Scale>(drive_lbas, trace_lbas);
        case AddressRule::compact:
            return std::make_unique<Compact>(drive_lbas, params.chunk);
    }
    return nullptr;
}

}  // namespace ftlab::workload
