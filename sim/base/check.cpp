// SPDX-License-Identifier: MIT
#include "sim/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace ftlab {

namespace {
std::function<void()>& reporter_slot() {
    static std::function<void()> slot;  // process-wide by nature: abort() is
    return slot;
}
}  // namespace

std::function<void()> on_check_failure(std::function<void()> reporter) {
    return std::exchange(reporter_slot(), std::move(reporter));
}

void check_failed(const char* expression, const char* file, int line, const char* why) {
    std::fprintf(stderr, "ftlab: internal error at %s:%d: %s (%s does not hold)\n", file, line, why, expression);
    if (auto report = std::exchange(reporter_slot(), nullptr)) {
        report();
    }
    std::fputs("ftlab: this is a bug in FTLab; please report the command line and the lines above\n", stderr);
    std::abort();
}

}  // namespace ftlab
