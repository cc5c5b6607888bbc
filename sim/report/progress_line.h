// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace ftlab::report {

/// One line on standard error that is written over again and again, for a person who waits; nothing in a pipe.
class ProgressLine {
public:
    struct State {
        std::string_view phase;
        bool timed = false;
        double seconds = 0;
        double total_seconds = 0;
        double done = 0;
        double iops = 0;
        double waf = 0;
    };

    explicit ProgressLine(bool visible) : visible_{visible} {}
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine() { clear(); }

    /// Costs next to nothing when called too often.
    void show(const State& state);
    void clear();

    /// `consistency 812/2000 s | 7.12K IOPS | WAF 11.2 | eta 0:12`; `wall` is what the phase has taken so far.
    [[nodiscard]] static std::string text(const State& state, double wall_seconds);

private:
    using Clock = std::chrono::steady_clock;

    bool visible_;
    bool shown_ = false;
    std::string phase_;
    Clock::time_point phase_begin_;
    Clock::time_point last_;
};

}  // namespace ftlab::report
