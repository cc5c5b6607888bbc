// SPDX-License-Identifier: MIT
#include "sim/report/gc_log.h"

#include <cerrno>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace ftlab::report {

namespace {
constexpr std::size_t kPending = 1U << 16U;
}

GcLog::GcLog(std::FILE* file) : file_{file}, pending_{kHeader} {}

void GcLog::add(std::optional<double> seconds,
                std::uint64_t host_sectors,
                std::string_view phase,
                std::string_view trigger,
                const ftl::GcEvent& event) {
    pending_ += fmt::format("{},{},{},{},{},{},{},{},{}\n", seconds ? fmt::format("{:.9f}", *seconds) : "",
                            host_sectors, text::csv_field(phase), event.victim.value, event.valid, event.free, trigger,
                            event.moved, event.dropped);
    if (pending_.size() >= kPending) {
        flush();
    }
}

void GcLog::flush() {
    const bool written = std::fwrite(pending_.data(), 1, pending_.size(), file_) == pending_.size();
    if ((!written || std::fflush(file_) != 0) && error_ == 0) {
        error_ = errno;
    }
    pending_.clear();
}

}  // namespace ftlab::report
