// SPDX-License-Identifier: MIT
// extends and --set on trees that mean nothing yet.
#include "sim/base/config_compose.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/base/scratch_folder.h"

using namespace ftlab::config;
using ftlab::test::ScratchFolder;

namespace {

struct Composed {
    std::optional<Node> node;
    std::string problems;  // one a line, without the scratch folder
};

Composed compose(const ScratchFolder& folder, const std::string& file, const std::vector<std::string>& overrides = {}) {
    std::vector<Problem> problems;
    Composed result{compose_file(folder.path(file), overrides_of(overrides), problems), ""};
    for (const Problem& problem : problems) {
        result.problems += (result.problems.empty() ? "" : "\n") + to_string(problem);
    }
    result.problems = ftlab::test::replaced(result.problems, folder.path(""), "");
    return result;
}

/// The tree on one line: {a: 1, b: [x, ~]}.
std::string shown(const Node& node) {
    std::string out;
    switch (node.kind()) {
        case Node::Kind::null:
            return "~";
        case Node::Kind::scalar:
            return node.text();
        case Node::Kind::list:
            for (const Node& item : node.items()) {
                out += (out.empty() ? "" : ", ") + shown(item);
            }
            return "[" + out + "]";
        case Node::Kind::map:
            for (const Node::Entry& entry : node.entries()) {
                out += (out.empty() ? "" : ", ") + entry.key + ": " + shown(entry.value);
            }
            return "{" + out + "}";
    }
    return out;
}

Composed with_sets(const std::string& text, const std::vector<std::string>& overrides) {
    std::vector<Problem> problems;
    Composed result{compose_text(text, "f.yaml", overrides_of(overrides), problems), ""};
    for (const Problem& problem : problems) {
        result.problems += (result.problems.empty() ? "" : "\n") + to_string(problem);
    }
    return result;
}

}  // namespace

TEST_CASE("a file lies over what it extends: maps merge, everything else replaces") {
    const ScratchFolder folder;
    folder.write("nand/tlc.yaml",
                 "read: 60 us\nbus: {rate: 400 MB/s, cycle: 25 ns}\npages: [1, 2, 3]\nkind: {tlc: }\n");
    folder.write("devices/d.yaml", "extends: ../nand/tlc.yaml\nbus: {rate: 533 MB/s}\npages: [4]\nextra: 1\n");

    const Composed got = compose(folder, "devices/d.yaml");

    CHECK(got.problems.empty());
    CHECK(shown(*got.node) ==
          "{read: 60 us, bus: {rate: 533 MB/s, cycle: 25 ns}, pages: [4], kind: {tlc: ~}, extra: 1}");
}

TEST_CASE("a value keeps the place of the file it came from") {
    const ScratchFolder folder;
    folder.write("base.yaml", "a: 1\nb:\n  c: 2\n");
    folder.write("top.yaml", "extends: base.yaml\n\nb:\n  d: 3\n");

    const Composed got = compose(folder, "top.yaml");

    CHECK(got.node->find("a")->place() == Place{folder.path("base.yaml"), 1, 4});
    CHECK(got.node->find("b")->find("c")->place() == Place{folder.path("base.yaml"), 3, 6});
    CHECK(got.node->find("b")->find("d")->place() == Place{folder.path("top.yaml"), 4, 6});
    CHECK(got.node->find("b")->place() == Place{folder.path("top.yaml"), 4, 3});
}

TEST_CASE("of several extended files the later one wins, and the file itself over all") {
    const ScratchFolder folder;
    folder.write("one.yaml", "a: one\nb: one\nc: one\n");
    folder.write("two.yaml", "b: two\nc: two\n");
    folder.write("top.yaml", "c: top\nextends: [one.yaml, two.yaml]\n");

    CHECK(shown(*compose(folder, "top.yaml").node) == "{a: one, b: two, c: top}");
}

TEST_CASE("a map inside a file or a list extends on its own") {
    const ScratchFolder folder;
    folder.write("devices/tiny.yaml", "capacity: 64 MiB\ngc: {low: 2}\n");
    folder.write("scenario.yaml",
                 "device: {extends: devices/tiny.yaml, gc: {high: 4}}\n"
                 "others:\n  - {extends: devices/tiny.yaml, capacity: 1 GiB}\n");

    const Composed got = compose(folder, "scenario.yaml");

    CHECK(got.problems.empty());
    CHECK(shown(*got.node) ==
          "{device: {capacity: 64 MiB, gc: {low: 2, high: 4}}, "
          "others: [{capacity: 1 GiB, gc: {low: 2}}]}");
}

TEST_CASE("two files may extend the same third one") {
    const ScratchFolder folder;
    folder.write("root.yaml", "a: 1\nb: 1\n");
    folder.write("left.yaml", "extends: root.yaml\na: 2\n");
    folder.write("right.yaml", "extends: root.yaml\nb: 2\n");
    folder.write("top.yaml", "extends: [left.yaml, right.yaml]\n");

    // right.yaml repeats a: 1 through root.yaml, and it comes later
    CHECK(shown(*compose(folder, "top.yaml").node) == "{a: 1, b: 2}");
}

TEST_CASE("a file that extends itself, at whatever distance, is an error at the extends that closes the circle") {
    const ScratchFolder folder;
    folder.write("a.yaml", "extends: sub/b.yaml\n");
    folder.write("sub/b.yaml", "x: 1\nextends: ./../sub/../a.yaml\n");
    folder.write("self.yaml", "extends: self.yaml\n");

    CHECK(compose(folder, "a.yaml").problems ==
          "sub/b.yaml:2:10: extends: \"a.yaml\" extends itself, directly or through other files; remove one of the "
          "extends");
    CHECK(compose(folder, "self.yaml").problems ==
          "self.yaml:1:10: extends: \"self.yaml\" extends itself, directly or through other files; remove one of the "
          "extends");
    CHECK_FALSE(compose(folder, "self.yaml").node.has_value());
}

TEST_CASE("an exponential family of files is cut short") {
    const ScratchFolder folder;
    for (int i = 0; i < 30; ++i) {
        const std::string next = std::to_string(i + 1) + ".yaml";
        std::string text = "extends: [";
        text.append(next).append(", ").append(next).append("]\n");
        folder.write(std::to_string(i) + ".yaml", text);
    }
    folder.write("30.yaml", "a: 1\n");

    CHECK(compose(folder, "0.yaml").problems.find("more than 100 files are read for one configuration") !=
          std::string::npos);
}

TEST_CASE("a chain of extends cannot nest deeper than one file may") {
    const ScratchFolder folder;
    std::string deep;
    for (int i = 0; i < 60; ++i) {
        deep += "{a: ";
    }
    folder.write("inner.yaml", deep + "1" + std::string(60, '}') + "\n");
    folder.write("outer.yaml", deep + "{extends: inner.yaml}" + std::string(60, '}') + "\n");

    CHECK(compose(folder, "outer.yaml").problems.find("inner.yaml:1:161: is nested more than 100 levels deep") == 0);
}

TEST_CASE("files that cannot be read are named where they are wanted") {
    const ScratchFolder folder;
    folder.write("missing.yaml", "a: 1\nextends: [nowhere.yaml, ., missing.yaml/x]\n");
    folder.write("list.yaml", "- 1\n");
    folder.write("over_list.yaml", "extends: list.yaml\n");
    folder.write("odd.yaml", "extends: {a: 1}\nb: {extends: }\nc: {extends: []}\n");

    CHECK(
        compose(folder, "missing.yaml").problems ==
        "missing.yaml:2:11: extends: cannot read \"nowhere.yaml\": No such file or directory; the name is relative to "
        "this file\n"
        "missing.yaml:2:25: extends: cannot read \"\": it is a directory; the name is relative to this file\n"
        "missing.yaml:2:28: extends: cannot read \"missing.yaml/x\": Not a directory; the name is relative to this "
        "file");
    CHECK(compose(folder, "none.yaml").problems ==
          "none.yaml:1:1: cannot read \"none.yaml\": No such file or directory; check the name");
    CHECK(compose(folder, "over_list.yaml").problems ==
          "list.yaml:1:1: is not a map of keys; only such a file can be extended");
    CHECK(compose(folder, "odd.yaml").problems ==
          "odd.yaml:1:10: extends: does not name files; write \"extends: other.yaml\" or \"extends: [one.yaml, "
          "two.yaml]\"\n"
          "odd.yaml:2:5: b.extends: does not name files; write \"extends: other.yaml\" or \"extends: [one.yaml, "
          "two.yaml]\"\n"
          "odd.yaml:3:14: c.extends: does not name files; write \"extends: other.yaml\" or \"extends: [one.yaml, "
          "two.yaml]\"");
}

TEST_CASE("a directory, a device and an endless file are refused") {
    std::vector<Problem> problems;

    CHECK_FALSE(compose_file("/", {}, problems).has_value());
    CHECK_FALSE(compose_file("/dev/zero", {}, problems).has_value());
    CHECK_FALSE(compose_file("", {}, problems).has_value());
    CHECK_FALSE(compose_file(std::string{"a\0b", 3}, {}, problems).has_value());

    REQUIRE(problems.size() == 4);
    CHECK(to_string(problems[0]) == "/:1:1: cannot read \"/\": it is a directory; check the name");
    CHECK(to_string(problems[1]) ==
          "/dev/zero:1:1: cannot read \"/dev/zero\": it is not a regular file; check the name");
}

TEST_CASE("an override replaces, merges and creates, and says that it was an option") {
    const Composed got =
        with_sets("gc: {victim: greedy, low: 2}\nlist: [1, 2]\n",
                  {"gc.low=5.6", "gc.trigger={lazy: {max_moves: 3}}", "list=[7, 8 us]", "new.a.b=x=y"});

    CHECK(got.problems.empty());
    CHECK(shown(*got.node) ==
          "{gc: {victim: greedy, low: 5.6, trigger: {lazy: {max_moves: 3}}}, list: [7, 8 us], new: {a: {b: x=y}}}");
    CHECK(got.node->find("gc")->find("low")->place() == Place{"--set", 1, 8});
    CHECK(got.node->find("gc")->find("trigger")->find("lazy")->find("max_moves")->place() == Place{"--set", 2, 31});
    CHECK(got.node->find("list")->items()[1].place() == Place{"--set", 3, 10});
    CHECK(got.node->entries().back().key_place == Place{"--set", 4, 1});
    CHECK(got.node->find("new")->entries()[0].key_place == Place{"--set", 4, 5});
}

TEST_CASE("an override reaches into list items by index") {
    const Composed got = with_sets("phases: [{fill: }, {run: {duration: 5 s}}]\nm: [[1, 2], [3]]\n",
                                   {"phases[1].run.duration=10 s", "phases[0]=trim", "m[0][1]=9"});

    CHECK(got.problems.empty());
    CHECK(shown(*got.node) == "{phases: [trim, {run: {duration: 10 s}}], m: [[1, 9], [3]]}");
}

TEST_CASE("later overrides win over earlier ones") {
    CHECK(shown(*with_sets("a: 1\n", {"a=2", "a=3", "b.c=1", "b={d: 2}"}).node) == "{a: 3, b: {c: 1, d: 2}}");
}

TEST_CASE("an override without a value is an empty value") {
    const Composed got = with_sets("a: 1\nb: 2\n", {"a=", "b=~"});

    CHECK(got.problems.empty());
    CHECK(shown(*got.node) == "{a: ~, b: ~}");
    CHECK(got.node->find("a")->place() == Place{"--set", 1, 3});
}

TEST_CASE("overrides that cannot be understood are all reported and change nothing") {
    const std::string how = R"( is not an override; write it like "gc.victim=greedy" or "phases[2].run.duration=10 s")";
    const std::string text = "phases: [1, 2]\na: 1\n";

    const Composed got = with_sets(
        text, {"gc.low", "=5", "a..b=1", "a[x]=1", "phases[2]=1", "phase[0]=1", "a[0]=1", "a=[1", "a=b: c: d", "a[=1",
               "[0]=1", "a.=1", "phases[0]x=1", "a=1\nb: 2", "phases[99999999999999999999]=1", "b=#1"});

    CHECK(shown(*got.node) == "{phases: [1, 2], a: 1}");
    CHECK(got.problems ==
          "--set:1:1: \"gc.low\"" + how + "\n--set:2:1: \"=5\"" + how + "\n--set:3:1: \"a..b=1\"" + how +
              "\n--set:4:1: \"a[x]=1\"" + how +
              "\n--set:5:7: phases[2]: there is no such item; the list has 2 items, counted from [0]"
              "\n--set:6:6: phase[0]: there is no list to take an item from; did you mean \"phases\"?"
              "\n--set:7:2: a[0]: there is no list to take an item from; write the whole list, like \"[first, second]\""
              "\n--set:8:3: a: this [ is never closed, or a comma is missing after it; write [value, value]"
              "\n--set:9:7: a: a \"key: value\" cannot be here; check the indentation, and put text that contains \": "
              "\" in quotes"
              "\n--set:10:1: \"a[=1\"" +
              how + "\n--set:11:1: \"[0]=1\"" + how + "\n--set:12:1: \"a.=1\"" + how +
              "\n--set:13:1: \"phases[0]x=1\"" + how +
              "\n--set:14:4: a: a line break is not allowed here; write the value on one line"
              "\n--set:15:1: \"phases[99999999999999999999]=1\"" +
              how + "\n--set:16:3: b: is empty; write at least one \"key: value\"");
}

TEST_CASE("an override's places count all options and the whole of its text") {
    std::vector<Problem> problems;
    const std::vector<Override> overrides{{.text = "device.a.b=1 us", .begin = 7, .ordinal = 3},
                                          {.text = "device.a[5]=1", .begin = 7, .ordinal = 9},
                                          {.text = "device.a", .begin = 7, .ordinal = 10}};

    const auto node = compose_text("a: {b: 2}\n", "f.yaml", overrides, problems);

    CHECK(node->find("a")->find("b")->place() == Place{"--set", 3, 12});
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].place == Place{"--set", 9, 9});
    CHECK(problems[1].place == Place{"--set", 10, 8});
    CHECK(problems[1].sentence.find("\"device.a\" is not an override") == 0);
}

TEST_CASE("an override nested without end is refused") {
    std::string path = "a";
    for (int i = 0; i < 100'000; ++i) {
        path += ".a";
    }

    CHECK(with_sets("a: 1\n", {path + "=1"}).problems ==
          "--set:1:1: is nested more than 100 levels deep; write a shorter path");
}
