// SPDX-License-Identifier: MIT
// Policies by name: catalog, choice, how layers replace each other, manual.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/catalog.h"
#include "sim/base/config.h"
#include "sim/base/json.h"
#include "tests/base/scratch_folder.h"

using namespace ftlab;
using namespace ftlab::literals;

namespace {

class Victim {
public:
    virtual ~Victim() = default;
    [[nodiscard]] virtual std::uint64_t value() const = 0;
};

class Greedy final : public Victim {
public:
    [[nodiscard]] std::uint64_t value() const override { return 1; }
};

class DChoices final : public Victim {
public:
    struct Params {
        std::uint32_t d = 2;
        Duration young = 10_ms;
        static void describe(config::Fields<Params>& f) {
            f("d", &Params::d, "blocks looked at").range(1, 64);
            f("young", &Params::young, "blocks left alone");
        }
    };
    explicit DChoices(const Params& params) : params_{params} {}
    [[nodiscard]] std::uint64_t value() const override { return 100 + params_.d; }

private:
    Params params_;
};

class AnyBlock final : public Victim {
public:
    explicit AnyBlock(const RandomStreams& random) : value_{random.stream("any").next()} {}
    [[nodiscard]] std::uint64_t value() const override { return value_; }

private:
    std::uint64_t value_;
};

class Sampled final : public Victim {
public:
    struct Params {
        std::uint32_t plus = 0;
        static void describe(config::Fields<Params>& f) { f("plus", &Params::plus, "is added").required(); }
    };
    Sampled(const Params& params, const RandomStreams& random) : value_{random.seed() + params.plus} {}
    [[nodiscard]] std::uint64_t value() const override { return value_; }

private:
    std::uint64_t value_;
};

/// A policy that is made of others, as a mix of workloads is.
class Sum final : public Victim {
public:
    struct Params {
        std::vector<config::Choice<Victim>> parts;
        config::Choice<Victim> more{"greedy"};
        static void describe(config::Fields<Params>& f) {
            f("parts", &Params::parts, "what is added up");
            f("more", &Params::more, "one more");
        }
    };
    Sum(const Params& params, const RandomStreams& random) {
        value_ = params.more.make(random)->value();
        for (const auto& part : params.parts) {
            value_ += part.make(random)->value();
        }
    }
    [[nodiscard]] std::uint64_t value() const override { return value_; }

private:
    std::uint64_t value_;
};

struct GcParams {
    config::Choice<Victim> victim{"greedy"};
    std::uint32_t low = 2;
    static void describe(config::Fields<GcParams>& f) {
        f("victim", &GcParams::victim, "which block is cleaned");
        f("low", &GcParams::low, "low mark");
    }
};

struct DriveParams {
    GcParams gc;
    std::vector<config::Choice<Victim>> list;
    static void describe(config::Fields<DriveParams>& f) {
        f("gc", &DriveParams::gc, "garbage collection");
        f("list", &DriveParams::list, "several");
    }
};

struct Fixture {
    Catalog catalog;
    config::Context context{.catalog = &catalog};
    RandomStreams random{42};

    Fixture() {
        catalog.registry<Victim>("gc.victim")
            .add<Greedy>("greedy", "fewest valid sectors")
            .add<DChoices>("d_choices", "best of a few")
            .add<AnyBlock>("random", "any block")
            .add<Sampled>("sampled", "needs a key")
            .add<Sum>("sum", "adds up");
    }

    std::string problems_of(std::string_view yaml, const std::vector<std::string>& overrides = {}) const {
        try {
            static_cast<void>(config::load_text<DriveParams>(yaml, context, "d.yaml", overrides));
        } catch (const config::Error& error) {
            return error.what();
        }
        return "";
    }

    /// The effective gc.victim after laying texts over each other, the first one lowest; overrides on top.
    std::string victim_of(const std::vector<std::string>& texts, const std::vector<std::string>& overrides = {}) const {
        const test::ScratchFolder folder;
        std::string below;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const std::string name = std::to_string(i) + ".yaml";
            folder.write(name, (below.empty() ? "" : "extends: " + below + "\n") + "gc: {victim: " + texts[i] + "}\n");
            below = name;
        }
        const auto drive = config::load<DriveParams>(folder.path(below), overrides, context);
        return to_yaml_line(config::effective(drive)["gc"]["victim"]);
    }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a policy is made from its name and its parameters") {
    const auto value = [this](std::string_view yaml) {
        return config::load_text<config::Choice<Victim>>(yaml, context).make(random)->value();
    };

    CHECK(value("greedy") == 1);
    CHECK(value("{greedy: }") == 1);
    CHECK(value("{greedy: {}}") == 1);
    CHECK(value("d_choices") == 102);
    CHECK(value("{d_choices: {d: 10}}") == 110);
    CHECK(value("random") == random.stream("any").next());
    CHECK(value("{sampled: {plus: 5}}") == 47);
    CHECK(value("{sum: {parts: [greedy, {d_choices: {d: 3}}, {sum: {more: d_choices}}]}}") == 1 + 1 + 103 + 102);
}

TEST_CASE_METHOD(Fixture, "a choice that nobody mentions is its default and can be made") {
    const auto drive = config::load_text<DriveParams>("{}", context);
    const auto untouched = config::defaults<DriveParams>(context);

    CHECK(drive.gc.victim.name() == "greedy");
    CHECK(drive.gc.victim.make(random)->value() == 1);
    CHECK(untouched.gc.victim.make(random)->value() == 1);
}

TEST_CASE_METHOD(Fixture, "copies of a choice make equal, separate objects") {
    const auto drive = config::load_text<DriveParams>("gc: {victim: {d_choices: {d: 7}}}", context);
    const DriveParams copy = drive;  // NOLINT(performance-unnecessary-copy-initialization): the point of the test

    const auto one = copy.gc.victim.make(random);
    const auto two = copy.gc.victim.make(random);

    CHECK(one->value() == 107);
    CHECK(one.get() != two.get());
}

TEST_CASE_METHOD(Fixture, "a wrong policy or parameter is refused with a suggestion") {
    CHECK(problems_of("gc: {victim: greddy}") ==
          "d.yaml:1:14: gc.victim: there is no gc.victim \"greddy\"; did you mean \"greedy\"?");
    CHECK(problems_of("gc: {victim: {costbenefit: {}}}") ==
          "d.yaml:1:15: gc.victim: there is no gc.victim \"costbenefit\"; write one of: greedy, d_choices, random, "
          "sampled, sum");
    CHECK(problems_of("gc: {victim: {d_choices: {d: 65, yuong: 1 s}}}") ==
          "d.yaml:1:30: gc.victim.d_choices.d: \"65\" is out of range; write 1 to 64\n"
          "d.yaml:1:34: gc.victim.d_choices.yuong: unknown key; did you mean \"young\"?");
    CHECK(problems_of("gc: {victim: {greedy: {d: 1}}}") ==
          "d.yaml:1:23: gc.victim.greedy: has no parameters; write just \"greedy\"");
    CHECK(problems_of("gc: {victim: {d_choices: 5}}") ==
          "d.yaml:1:26: gc.victim.d_choices: \"5\" is not a map of keys; write it like {d: ...}");
    CHECK(problems_of("gc: {victim: sampled}") == "d.yaml:1:14: gc.victim.sampled.plus: is missing; write it (count)");
    CHECK(problems_of("gc: {victim: {greedy: , d_choices: }}") ==
          "d.yaml:1:14: gc.victim: names more than one gc.victim: \"greedy\", \"d_choices\"; write exactly one");
    CHECK(problems_of("gc: {victim: {}}") == "d.yaml:1:14: gc.victim: names no gc.victim; write the name of one");
    CHECK(problems_of("gc: {victim: }") ==
          "d.yaml:1:6: gc.victim: has no value; write one of: greedy, d_choices, random, sampled, sum");
    CHECK(problems_of("gc: {victim: [greedy]}") ==
          "d.yaml:1:14: gc.victim: is a list; write one of: greedy, d_choices, random, sampled, sum");
    CHECK(problems_of("list: [greedy, greedi, {d_choices: {d: 0}}]") ==
          "d.yaml:1:16: list[1]: there is no gc.victim \"greedi\"; did you mean \"greedy\"?\n"
          "d.yaml:1:40: list[2].d_choices.d: \"0\" is out of range; write 1 to 64");
}

TEST_CASE_METHOD(Fixture, "a choice without a default has to be made by the user") {
    struct Open {
        config::Choice<Victim> victim;
        config::Choice<Victim> gone{"gone"};
        static void describe(config::Fields<Open>& f) {
            f("victim", &Open::victim, "");
            f("gone", &Open::gone, "");
        }
    };
    std::vector<config::Problem> problems;
    const auto node = config::parse_yaml("{}", "d.yaml", problems);

    static_cast<void>(config::read<Open>(*node, problems, context));

    REQUIRE(problems.size() == 2);
    CHECK(to_string(problems[0]) ==
          "d.yaml:1:1: victim: is missing; write one of: greedy, d_choices, random, sampled, sum");
    CHECK(to_string(problems[1]) ==
          "d.yaml:1:1: gone: is missing and its default \"gone\" is not available; write one "
          "of: greedy, d_choices, random, sampled, sum");
}

TEST_CASE_METHOD(Fixture, "the same policy in a later layer keeps what earlier layers said of it") {
    CHECK(victim_of({"{d_choices: {d: 5}}", "{d_choices: {young: 1 s}}"}) == "{d_choices: {d: 5, young: 1 s}}");
    CHECK(victim_of({"{d_choices: {d: 5}}", "{d_choices: {}}"}) == "{d_choices: {d: 5, young: 10 ms}}");
    CHECK(victim_of({"{d_choices: {d: 5}}"}, {"gc.victim.d_choices.young=2 s"}) == "{d_choices: {d: 5, young: 2 s}}");
}

TEST_CASE_METHOD(Fixture, "another policy in a later layer replaces, it does not merge") {
    CHECK(victim_of({"{d_choices: {d: 5}}", "{greedy: {}}"}) == "greedy");
    CHECK(victim_of({"{d_choices: {d: 5}}", "greedy"}) == "greedy");
    CHECK(victim_of({"greedy", "{d_choices: {d: 5}}"}) == "{d_choices: {d: 5, young: 10 ms}}");
    CHECK(victim_of({"{greedy: {}}", "{d_choices: {d: 5}}"}) == "{d_choices: {d: 5, young: 10 ms}}");
    CHECK(victim_of({"{greedy: {}}"}, {"gc.victim.d_choices.d=7"}) == "{d_choices: {d: 7, young: 10 ms}}");
    CHECK(victim_of({"{d_choices: {d: 5}}"}, {"gc.victim=random"}) == "random");
}

TEST_CASE_METHOD(Fixture, "the bare name of a policy starts it from its defaults") {
    CHECK(victim_of({"{d_choices: {d: 5}}", "d_choices"}) == "{d_choices: {d: 2, young: 10 ms}}");
    CHECK(victim_of({"{d_choices: {d: 5}}", "{d_choices: }"}) == "{d_choices: {d: 2, young: 10 ms}}");
}

TEST_CASE_METHOD(Fixture, "a policy that was replaced and comes back remembers nothing") {
    CHECK(victim_of({"{d_choices: {d: 5}}", "{greedy: {}}", "{d_choices: {young: 1 s}}"}) ==
          "{d_choices: {d: 2, young: 1 s}}");
    CHECK(victim_of({"{d_choices: {d: 5}}", "greedy", "{d_choices: {young: 1 s}}"}) ==
          "{d_choices: {d: 2, young: 1 s}}");
    CHECK(victim_of({"{d_choices: {d: 5}}", "{greedy: {}}"}, {"gc.victim.d_choices.young=1 s"}) ==
          "{d_choices: {d: 2, young: 1 s}}");
    CHECK(victim_of({"{d_choices: {d: 5}}"}, {"gc.victim.greedy={}", "gc.victim.d_choices.d=6",
                                              "gc.victim.d_choices.young=3 s"}) == "{d_choices: {d: 6, young: 3 s}}");
}

TEST_CASE_METHOD(Fixture, "choices below choices are replaced by the same rule") {
    CHECK(victim_of({"{sum: {more: {d_choices: {d: 5}}}}", "{sum: {more: {greedy: {}}}}"}) ==
          "{sum: {parts: [], more: greedy}}");
    CHECK(victim_of({"{sum: {more: {d_choices: {d: 5}}}}", "{greedy: {}}", "{sum: {parts: [random]}}"}) ==
          "{sum: {parts: [random], more: greedy}}");
    CHECK(victim_of({"{sum: {parts: [{d_choices: {d: 5}}, greedy]}}"},
                    {"gc.victim.sum.parts[0].greedy={}", "gc.victim.sum.parts[1].d_choices.d=9"}) ==
          "{sum: {parts: [greedy, {d_choices: {d: 9, young: 10 ms}}], more: greedy}}");
}

TEST_CASE_METHOD(Fixture, "two policies in one file are an error even over an extended file") {
    const test::ScratchFolder folder;
    folder.write("base.yaml", "gc: {victim: {random: }}\n");
    const std::string top = folder.write("top.yaml", "extends: base.yaml\ngc: {victim: {greedy: , d_choices: }}\n");

    std::string message;
    try {
        static_cast<void>(config::load<DriveParams>(top, {}, context));
    } catch (const config::Error& error) {
        message = error.what();
    }

    CHECK(message == top +
                         ":2:14: gc.victim: names more than one gc.victim: \"greedy\", \"d_choices\"; write exactly "
                         "one");
}

TEST_CASE_METHOD(Fixture, "an override of a policy that does not exist points at the option") {
    CHECK(problems_of("gc: {victim: greedy}", {"gc.victim.d_choice.d=3"}) ==
          "--set:1:11: gc.victim: there is no gc.victim \"d_choice\"; did you mean \"d_choices\"?");
    CHECK(problems_of("gc: {victim: greedy}", {"gc.victim.d_choices.yung=3"}) ==
          "--set:1:21: gc.victim.d_choices.yung: unknown key; did you mean \"young\"?");
}

TEST_CASE_METHOD(Fixture, "the effective configuration of a choice reads back as the same choice") {
    const auto once = config::effective(config::load_text<DriveParams>(
        "{gc: {victim: {sum: {parts: [random, {d_choices: {d: 4}}]}}}, list: [greedy, {sampled: {plus: 1}}]}",
        context));

    const auto twice = config::effective(config::load_text<DriveParams>(to_text(once), context));

    CHECK(once == twice);
    CHECK(to_yaml_line(once) ==
          "{gc: {victim: {sum: {parts: [random, {d_choices: {d: 4, young: 10 ms}}], more: greedy}}, "
          "low: 2}, list: [greedy, {sampled: {plus: 1}}]}");
}

TEST_CASE_METHOD(Fixture, "the manual lists every key, policy and parameter once, also where policies nest") {
    std::string lines;
    for (const config::ManualRow& row : config::manual<GcParams>(context)) {
        lines += row.path + " | " + row.type + " | " + row.default_value + " | " + row.range + " | " + row.help + "\n";
    }

    CHECK(lines ==
          "victim | greedy | d_choices | random | sampled | sum | greedy |  | which block is cleaned\n"
          "victim.greedy | policy |  |  | fewest valid sectors\n"
          "victim.d_choices | policy |  |  | best of a few\n"
          "victim.d_choices.d | count | 2 | 1 to 64 | blocks looked at\n"
          "victim.d_choices.young | time | 10 ms |  | blocks left alone\n"
          "victim.random | policy |  |  | any block\n"
          "victim.sampled | policy |  |  | needs a key\n"
          "victim.sampled.plus | count | required |  | is added\n"
          "victim.sum | policy |  |  | adds up\n"
          "victim.sum.parts | list of greedy | d_choices | random | sampled | sum | [] |  | what is added up\n"
          "victim.sum.more | greedy | d_choices | random | sampled | sum | greedy |  | one more\n"
          "low | count | 2 |  | low mark\n");
}

TEST_CASE("the manual shows groups, lists, optionals and ranges") {
    struct Bus {
        Bandwidth rate{200'000'000};
        static void describe(config::Fields<Bus>& f) { f("rate", &Bus::rate, "of transfers").positive(); }
    };
    struct Nand {
        Bus bus{Bandwidth{400'000'000}};
        std::optional<Bus> spare;
        std::vector<Bus> more;
        std::optional<Time> idle;
        std::string name;
        static void describe(config::Fields<Nand>& f) {
            f("bus", &Nand::bus, "the bus");
            f("spare", &Nand::spare, "a second one");
            f("more", &Nand::more, "others");
            f("idle", &Nand::idle, "pause").at_least(1_ms);
            f("name", &Nand::name, "any text").non_empty();
        }
    };

    std::string lines;
    for (const config::ManualRow& row : config::manual<Nand>({.catalog = nullptr, .path = "nand"})) {
        lines += row.path + " | " + row.type + " | " + row.default_value + " | " + row.range + " | " + row.help + "\n";
    }

    CHECK(lines ==
          "nand.bus | group |  |  | the bus\n"
          "nand.bus.rate | bandwidth | 400 MB/s | more than 0 B/s | of transfers\n"
          "nand.spare | group or ~ | ~ |  | a second one\n"
          "nand.spare.rate | bandwidth | 200 MB/s | more than 0 B/s | of transfers\n"
          "nand.more | list of group | [] |  | others\n"
          "nand.more[].rate | bandwidth | 200 MB/s | more than 0 B/s | of transfers\n"
          "nand.idle | time or ~ | ~ | at least 1 ms | pause\n"
          "nand.name | text | \"\" | not empty | any text\n");
}

TEST_CASE("a catalog refuses a policy name that is taken or badly written") {
    Catalog catalog;
    auto registry = catalog.registry<Victim>("gc.victim");
    registry.add<Greedy>("greedy", "");

    CHECK_THROWS_WITH(registry.add<DChoices>("greedy", ""),
                      "there is a gc.victim \"greedy\" already; give the new one another name");
    CHECK_THROWS_WITH(
        catalog.registry<Victim>("gc.victim").add<DChoices>("Greedy", ""),
        "the name \"Greedy\" of a gc.victim is not in snake_case; write lower-case letters, digits and _");
    CHECK_THROWS_AS(registry.add<DChoices>("", ""), std::invalid_argument);

    REQUIRE(catalog.tables().size() == 1);
    CHECK(catalog.tables()[0].policies.size() == 1);
}
