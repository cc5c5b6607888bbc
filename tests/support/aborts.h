// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <string>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace ftlab::testing {

/// What a failed FTLAB_CHECK says when `action` runs into it, in a process of its own; empty when the action returns.
template <class Action>
std::string abort_message(Action action) {
    std::array<int, 2> channel{};
    REQUIRE(::pipe(channel.data()) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);  // Catch would report it as a failure of this test
        ::dup2(channel[1], STDERR_FILENO);
        action();
        ::_exit(0);
    }
    ::close(channel[1]);
    std::string text;
    std::array<char, 512> chunk{};
    for (ssize_t n = 0; (n = ::read(channel[0], chunk.data(), chunk.size())) > 0;) {
        text.append(chunk.data(), static_cast<std::size_t>(n));
    }
    ::close(channel[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? text : std::string{};
}

}  // namespace ftlab::testing
