// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "ftl/gc/collector.h"

namespace ftlab::report {

/// Writes what garbage collection did to each victim, as CSV with the columns kHeader.  Errors of writing do not stop
/// the simulation at once: failed() tells of them.
class GcLog {
public:
    static constexpr std::string_view kHeader =
        "time_s,host_sectors,phase,victim,valid_sectors,free_superblocks,trigger,moves,dropped\n";

    /// `file` is open for writing and stays so.
    explicit GcLog(std::FILE* file);
    GcLog(const GcLog&) = delete;
    GcLog& operator=(const GcLog&) = delete;

    /// `seconds`: simulated, none in bare phases; `host_sectors`: received since the drive was new.
    void add(std::optional<double> seconds,
             std::uint64_t host_sectors,
             std::string_view phase,
             std::string_view trigger,
             const ftl::GcEvent& event);
    /// Hands everything to the operating system.
    void flush();
    [[nodiscard]] bool failed() const { return error_ != 0; }
    /// errno of the first failure.
    [[nodiscard]] int error() const { return error_; }

private:
    std::FILE* file_;
    std::string pending_;
    int error_ = 0;
};

}  // namespace ftlab::report
