// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

namespace ftlab {

/// Called once before a failed FTLAB_CHECK aborts, to print where the simulation stood (time, last operations).
/// At most one reporter is installed, by the simulation that is running; returns the previous one.
std::function<void()> on_check_failure(std::function<void()> reporter);

[[noreturn]] void check_failed(const char* expression, const char* file, int line, const char* why);

}  // namespace ftlab

/// An invariant of ours.  Never for the user's input, never for device events.
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): needs the text of the expression and its place
#define FTLAB_CHECK(condition, why)                                     \
    do {                                                                \
        if (!(condition)) [[unlikely]] {                                \
            ::ftlab::check_failed(#condition, __FILE__, __LINE__, why); \
        }                                                               \
    } while (false)
