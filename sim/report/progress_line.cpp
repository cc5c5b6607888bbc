// SPDX-License-Identifier: MIT
#include "sim/report/progress_line.h"

#include <cstdio>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace ftlab::report {

namespace {
constexpr std::chrono::milliseconds kEvery{100};
constexpr double kWorthAnEta = 0.01;
constexpr long kSecondsPerMinute = 60;
}  // namespace

std::string ProgressLine::text(const State& s, double wall_seconds) {
    std::string line{s.phase};
    if (s.timed && s.total_seconds > 0) {
        line += fmt::format(" {:.0f}/{} s", s.seconds, text::number(s.total_seconds));
    } else if (s.timed) {
        line += fmt::format(" {:.0f} s", s.seconds);
    }
    if (s.done > 0 && !(s.timed && s.total_seconds > 0)) {
        line += fmt::format(" {:.0f}%", s.done * 100);
    }
    line += s.timed ? " | " + text::people_iops(s.iops) : " | " + text::people_count(s.iops) + " commands";
    if (s.waf > 0) {
        line += fmt::format(" | WAF {:.3g}", s.waf);
    }
    if (s.done >= kWorthAnEta) {
        const auto left = static_cast<long>(wall_seconds / s.done * (1 - s.done) + 0.5);
        line += fmt::format(" | eta {}:{:02}", left / kSecondsPerMinute, left % kSecondsPerMinute);
    }
    return line;
}

void ProgressLine::show(const State& state) {
    if (!visible_) {
        return;
    }
    const Clock::time_point now = Clock::now();
    if (state.phase != phase_) {
        phase_ = std::string{state.phase};
        phase_begin_ = shown_ ? last_ : now;
    }
    if (shown_ && now - last_ < kEvery) {
        return;
    }
    last_ = now;
    shown_ = true;
    const double wall = std::chrono::duration<double>(now - phase_begin_).count();
    fmt::print(stderr, "\r\x1b[K{}", text(state, wall));
    static_cast<void>(std::fflush(stderr));
}

void ProgressLine::clear() {
    if (shown_) {
        fmt::print(stderr, "\r\x1b[K");
        static_cast<void>(std::fflush(stderr));
        shown_ = false;
    }
}

}  // namespace ftlab::report
