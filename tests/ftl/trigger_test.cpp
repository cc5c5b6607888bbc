// SPDX-License-Identifier: MIT
#include "ftl/gc/trigger.h"

#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "tests/ftl/drive.h"

using namespace ftlab;
using namespace ftlab::ftl;
using namespace ftlab::testing;
using namespace ftlab::literals;

namespace {

std::unique_ptr<GcTrigger> trigger(const std::string& yaml) {
    return from_yaml<config::Choice<GcTrigger>>(yaml).make(RandomStreams{1});
}

double moves(GcTrigger& trigger, double break_even) { return trigger.rate(MoveRate::of(break_even)).q16 / 65536.0; }

}  // namespace

TEST_CASE("a move rate is a number of moves in 1/65536, as large as it may be") {
    CHECK(MoveRate::of(0.0).q16 == 0);
    CHECK(MoveRate::of(1.0).q16 == 65536);
    CHECK(MoveRate::of(5.6).q16 == 367002);
    CHECK(MoveRate::of(65534.0).q16 == 65534U * 65536U);
    CHECK(MoveRate::of(1e9).q16 == 0xffffffffU);
}

TEST_CASE("threshold collection begins below start and goes on until stop") {
    const auto gc = trigger("{threshold: {start: 6, stop: 8}}");
    gc->busy_period_begins(50);

    CHECK_FALSE(gc->active(6, false));
    CHECK(gc->active(5, false));
    CHECK(gc->active(6, true));
    CHECK(gc->active(7, true));
    CHECK_FALSE(gc->active(8, true));
    CHECK_FALSE(gc->active(7, false));
}

TEST_CASE("threshold collection lets the host pay slightly more than it takes, and never collects in idle time") {
    const auto gc = trigger("{threshold: {over_collect: 1.05}}");

    CHECK(moves(*gc, 0.0) == 0.0);
    CHECK(moves(*gc, 1.0) == Approx(1.05).margin(1e-4));
    CHECK(moves(*gc, 20.0) == Approx(21.0).margin(1e-3));
    CHECK_FALSE(gc->idle_after().has_value());
    CHECK_FALSE(gc->idle_wants(0));
}

TEST_CASE("lazy collection begins when the host has used what it may use of the pool that it found") {
    const auto gc = trigger("{lazy: {start_after_used: 13, mark_min: 6, mark_max: 40}}");

    gc->busy_period_begins(51);

    CHECK_FALSE(gc->active(38, false));
    CHECK(gc->active(37, false));
    CHECK(gc->active(37, true));
    CHECK_FALSE(gc->active(38, true));  // no hysteresis
}

TEST_CASE("the mark of lazy collection lies between its least and its greatest, whatever the pool") {
    const auto gc = trigger("{lazy: {start_after_used: 13, mark_min: 6, mark_max: 40}}");

    gc->busy_period_begins(1000);
    CHECK_FALSE(gc->active(40, false));
    CHECK(gc->active(39, false));

    gc->busy_period_begins(15);
    CHECK_FALSE(gc->active(6, false));
    CHECK(gc->active(5, false));

    gc->busy_period_begins(0);
    CHECK_FALSE(gc->active(6, false));
    CHECK(gc->active(5, false));
}

TEST_CASE("idle time buys back the fast stage: the mark moves with the pool at the start of the busy period") {
    const auto gc = trigger("{lazy: {start_after_used: 10, mark_min: 2, mark_max: 100}}");
    gc->busy_period_begins(30);
    CHECK(gc->active(19, false));

    gc->busy_period_begins(25);

    CHECK_FALSE(gc->active(19, false));
    CHECK_FALSE(gc->active(15, false));
    CHECK(gc->active(14, false));
}

TEST_CASE("lazy collection pays the victim's break-even, but never more than the cap") {
    const auto gc = trigger("{lazy: {max_moves: 5.6, over_collect: 1.04}}");

    CHECK(moves(*gc, 1.0) == Approx(1.04).margin(1e-4));
    CHECK(moves(*gc, 5.0) == Approx(5.2).margin(1e-3));
    CHECK(moves(*gc, 5.5) == Approx(5.6).margin(1e-4));
    CHECK(moves(*gc, 65536.0) == Approx(5.6).margin(1e-4));
}

TEST_CASE("a cap of no moves leaves all collection to the time when the host has to stop") {
    const auto gc = trigger("{lazy: {max_moves: 0}}");

    CHECK(moves(*gc, 10.0) == 0.0);
}

TEST_CASE("idle collection begins after a silence and ends some superblocks above the mark") {
    const auto gc =
        trigger("{lazy: {start_after_used: 5, mark_min: 2, mark_max: 40, idle_after: 3 s, idle_surplus: 4}}");
    gc->busy_period_begins(20);

    CHECK(gc->idle_after() == 3_s);
    CHECK(gc->idle_wants(18));
    CHECK_FALSE(gc->idle_wants(19));
}

TEST_CASE("idle collection asks for a gain of 5% unless told otherwise, and never for more than a whole superblock") {
    CHECK(trigger("lazy")->idle_least_gain() == Ratio{0.05});
    CHECK(trigger("{lazy: {idle_least_gain: 0%}}")->idle_least_gain() == Ratio{0});
    CHECK_THROWS_WITH(trigger("{lazy: {idle_least_gain: 101%}}"), Catch::Contains("idle_least_gain"));
}

TEST_CASE("triggers that contradict themselves are refused with the keys to change") {
    CHECK_THROWS_WITH(trigger("{threshold: {start: 9, stop: 8}}"), Catch::Contains("stop") && Catch::Contains("start"));
    CHECK_THROWS_WITH(trigger("{lazy: {mark_min: 9, mark_max: 8}}"), Catch::Contains("mark_max"));
    CHECK_THROWS_WITH(trigger("{lazy: {over_collect: 0.9}}"), Catch::Contains("over_collect"));
}
