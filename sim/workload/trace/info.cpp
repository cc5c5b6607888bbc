// SPDX-License-Identifier: MIT
#include "sim/workload/trace/info.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

namespace ftlab::workload {

namespace {
constexpr std::size_t kMostDevices = 65536;  // bounds the memory that a hostile trace can take
}

void SizeCounts::add(Bytes size) {
    const std::uint64_t lbas = size / kLbaSize;
    if (lbas <= kExact) {
        exact_.resize(std::max<std::size_t>(exact_.size(), lbas + 1));
        ++exact_[lbas];
    } else {
        ++octaves_[static_cast<std::size_t>(std::bit_width(size.count)) - 1];
    }
}

std::vector<SizeCounts::Count> SizeCounts::all() const {
    std::vector<Count> counts;
    for (std::size_t lbas = 0; lbas < exact_.size(); ++lbas) {
        if (exact_[lbas] > 0) {
            counts.push_back({kLbaSize * lbas, exact_[lbas]});
        }
    }
    for (std::size_t exponent = 0; exponent < octaves_.size(); ++exponent) {
        if (octaves_[exponent] > 0) {
            counts.push_back({Bytes{std::uint64_t{1} << exponent}, octaves_[exponent]});
        }
    }
    return counts;
}

Bytes SizeCounts::median() const {
    const std::vector<Count> counts = all();
    std::uint64_t total = 0;
    for (const Count& count : counts) {
        total += count.requests;
    }
    std::uint64_t seen = 0;
    for (const Count& count : counts) {
        seen += count.requests;
        if (seen > total / 2) {
            return count.size;
        }
    }
    return Bytes{0};
}

std::vector<SizeCounts::Count> SizeCounts::top(std::size_t n) const {
    std::vector<Count> counts = all();
    std::sort(counts.begin(), counts.end(), [](const Count& a, const Count& b) {
        return std::pair{a.requests, a.size} > std::pair{b.requests, b.size};
    });
    counts.resize(std::min(n, counts.size()));
    return counts;
}

TraceInfo::TraceInfo(bool with_footprint) {
    if (with_footprint) {
        touched_.emplace();
        written_.emplace();
    }
}

void TraceInfo::add(const TraceRecord& record) {
    const bool first = requests_++ == 0;
    PerOp& per_op = ops_[static_cast<std::size_t>(record.op)];
    ++per_op.requests;
    per_op.bytes = per_op.bytes + Bytes{record.size};
    if (devices_.size() < kMostDevices) {
        devices_.insert(record.device);
    }

    earliest_ = first ? record.stamp : std::min(earliest_, record.stamp);
    latest_ = first ? record.stamp : std::max(latest_, record.stamp);
    inversions_ += !first && record.stamp < previous_ ? 1U : 0U;
    previous_ = record.stamp;
    if (record.op == Op::flush) {
        return;  // has no address
    }

    lowest_ = std::min(lowest_.value_or(record.offset), record.offset);
    highest_ = std::max(highest_.value_or(record.end()), record.end());
    smallest_ = std::min(smallest_.value_or(Bytes{record.size}), Bytes{record.size});
    largest_ = std::max(largest_, Bytes{record.size});
    sizes_.add(Bytes{record.size});
    constexpr auto kSector = static_cast<std::int64_t>(kSectorSize.count);
    unaligned_ += record.offset % kSector != 0 || record.end() % kSector != 0 ? 1U : 0U;
    empty_ += record.size == 0 ? 1U : 0U;

    const SectorRange sectors = workload::touched_sectors(record.offset, record.end());
    if (record.op == Op::write) {
        sector_writes_ += static_cast<std::uint64_t>(sectors.end - sectors.first);
    }
    if (touched_ && record.op != Op::trim) {
        touched_->add(sectors);
        if (record.op == Op::write) {
            written_->add(sectors);
        }
    }
}

std::optional<std::uint64_t> TraceInfo::touched_sectors() const {
    return touched_ ? std::optional{touched_->size()} : std::nullopt;
}

std::optional<std::uint64_t> TraceInfo::written_sectors() const {
    return written_ ? std::optional{written_->size()} : std::nullopt;
}

TraceInfo survey(TraceReader& reader, bool with_footprint) {
    TraceInfo info{with_footprint};
    TraceRecord record;
    while (reader.next(record)) {
        info.add(record);
    }
    return info;
}

std::string to_text(const TraceInfo& info) {
    const auto share = [&info](std::uint64_t part) {
        return info.requests() == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(info.requests());
    };
    constexpr double kMiB = 1 << 20U;
    constexpr double kGiB = 1 << 30U;
    std::string mix;
    std::string bytes;
    for (const Op op : kOps) {
        const TraceInfo::PerOp& part = info.of(op);
        if (part.requests > 0) {
            const char* comma = mix.empty() ? "" : ", ";
            mix += fmt::format("{}{} {} ({:.1f}%)", comma, name_of(op), part.requests, share(part.requests));
            bytes += fmt::format("{}{} {}", comma, name_of(op), part.bytes.count);
        }
    }
    std::string top;
    for (const SizeCounts::Count& count : info.sizes().top(4)) {
        top += fmt::format("{}{}x{}", top.empty() ? "" : ", ", count.requests, count.size.count);
    }
    std::string footprint;
    if (info.touched_sectors()) {
        const auto in_mib = [](std::uint64_t sectors) {
            return static_cast<double>(sectors * kSectorSize.count) / kMiB;
        };
        footprint =
            fmt::format("; touched 4K footprint {:.1f} MiB (written {:.1f} MiB, total written {:.1f} MiB)",
                        in_mib(*info.touched_sectors()), in_mib(*info.written_sectors()), in_mib(info.sector_writes()));
    }
    return fmt::format(
        "{} requests; {}; bytes {}; span [{}, {}) B = {:.2f} GiB; size min/median/max {}/{}/{} B, top {}; "
        "duration {:g} s{}; not 4K-aligned {:.1f}%; time inversions {}",
        info.requests(), mix, bytes, info.lowest(), info.highest(),
        static_cast<double>(info.highest() - info.lowest()) / kGiB, info.smallest().count, info.median().count,
        info.largest().count, top, std::chrono::duration<double>{info.duration()}.count(), footprint,
        share(info.unaligned()), info.inversions());
}

}  // namespace ftlab::workload
