// SPDX-License-Identifier: MIT
#include "sim/base/check.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <string>
#include <utility>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace ftlab;

namespace {

struct Death {
    bool by_abort = false;
    std::string stderr_text;
};

/// Runs `action` in a process of its own: a failed check ends the process.
template <class Action>
Death death_of(Action action) {
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
    Death death;
    std::array<char, 512> chunk{};
    for (ssize_t n = 0; (n = ::read(channel[0], chunk.data(), chunk.size())) > 0;) {
        death.stderr_text.append(chunk.data(), static_cast<std::size_t>(n));
    }
    ::close(channel[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    death.by_abort = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    return death;
}

}  // namespace

TEST_CASE("a broken invariant aborts and names the expression, the place and the reason") {
    const Death death = death_of([] { FTLAB_CHECK(1 + 1 == 3, "arithmetic is kept"); });

    CHECK(death.by_abort);
    CHECK_THAT(death.stderr_text, Catch::Contains("1 + 1 == 3") && Catch::Contains("arithmetic is kept") &&
                                      Catch::Contains("check_test.cpp:"));
}

TEST_CASE("an invariant that holds costs nothing but its evaluation") {
    int evaluated = 0;

    FTLAB_CHECK(++evaluated == 1, "evaluated once");

    CHECK(evaluated == 1);
}

TEST_CASE("the simulation that is running reports where it stood before the abort") {
    const Death death = death_of([] {
        on_check_failure([] { std::fputs("at 12 s of phase fill\n", stderr); });
        FTLAB_CHECK(false, "reported");
    });

    CHECK(death.by_abort);
    CHECK_THAT(death.stderr_text, Catch::Contains("at 12 s of phase fill"));
}

TEST_CASE("a check that fails while the reporter runs does not recurse") {
    const Death death = death_of([] {
        on_check_failure([] { FTLAB_CHECK(false, "second failure"); });
        FTLAB_CHECK(false, "first failure");
    });

    CHECK(death.by_abort);
    CHECK_THAT(death.stderr_text, Catch::Contains("first failure") && Catch::Contains("second failure"));
}

TEST_CASE("installing a reporter hands back the one before it") {
    int calls = 0;
    on_check_failure([&calls] { ++calls; });

    const auto previous = on_check_failure(nullptr);

    REQUIRE(previous);
    previous();
    CHECK(calls == 1);
}
