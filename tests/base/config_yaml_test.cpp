// SPDX-License-Identifier: MIT
// What is refused in the text of a file, and where the message points.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/config_compose.h"
#include "sim/base/random.h"

using namespace ftlab;
using namespace ftlab::config;

namespace {

/// The problems of a text, one a line; empty when there are none.
std::string problems_of(std::string_view text) {
    std::vector<Problem> problems;
    static_cast<void>(parse_yaml(text, "f.yaml", problems));
    std::string lines;
    for (const Problem& problem : problems) {
        lines += (lines.empty() ? "" : "\n") + to_string(problem);
    }
    return lines;
}

Node parsed(std::string_view text) {
    std::vector<Problem> problems;
    auto node = parse_yaml(text, "f.yaml", problems);
    REQUIRE(problems.empty());
    REQUIRE(node.has_value());
    return *node;
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

}  // namespace

TEST_CASE("every value and every key knows its line and column") {
    const Node root = parsed("a: 1\nb:\n  - x y\n  - {c: \"2\", d: }\n");

    CHECK(root.is_map());
    CHECK(root.entries()[1].key_place == Place{"f.yaml", 2, 1});
    CHECK(root.find("a")->place() == Place{"f.yaml", 1, 4});
    CHECK(root.find("a")->text() == "1");
    CHECK_FALSE(root.find("a")->quoted());
    const Node& list = *root.find("b");
    REQUIRE(list.items().size() == 2);
    CHECK(list.items()[0].text() == "x y");
    CHECK(list.items()[0].place() == Place{"f.yaml", 3, 5});
    const Node& map = list.items()[1];
    CHECK(map.find("c")->quoted());
    CHECK(map.find("c")->place() == Place{"f.yaml", 4, 9});
    CHECK(map.find("d")->is_null());
    CHECK(map.find("d")->place() == Place{"f.yaml", 4, 14});
    CHECK(map.find("e") == nullptr);
}

TEST_CASE("an empty value is placed at its key or dash, not at what follows") {
    const Node root = parsed("a:\n# a comment\n\nb:\n  -\n  - x\n");

    CHECK(root.find("a")->place() == Place{"f.yaml", 1, 1});
    CHECK(root.find("b")->items()[0].place() == Place{"f.yaml", 5, 3});
}

TEST_CASE("a byte order mark and Windows line ends are accepted and shift nothing") {
    const Node root = parsed(
        "\xef\xbb\xbf"
        "a: 1\r\nb: 2\r\n");

    CHECK(root.find("a")->place() == Place{"f.yaml", 1, 4});
    CHECK(root.find("b")->text() == "2");
    CHECK(root.find("b")->place() == Place{"f.yaml", 2, 4});
}

TEST_CASE("a file without content is an error") {
    const std::string empty = "f.yaml:1:1: is empty; write at least one \"key: value\"";

    CHECK(problems_of("") == empty);
    CHECK(problems_of("\n\n") == empty);
    CHECK(problems_of("# only a comment\n") == empty);
    CHECK(problems_of("---\n") == empty);
    CHECK(problems_of("~") == empty);
    CHECK(problems_of("\xef\xbb\xbf") == empty);
}

TEST_CASE("repeated keys are all reported, with both places") {
    CHECK(problems_of("a: 1\nb: {c: 1, c: 2}\na: 2\n") ==
          "f.yaml:2:11: b.c: is given twice; remove it here or at f.yaml:2:5\n"
          "f.yaml:3:1: a: is given twice; remove it here or at f.yaml:1:1");
    CHECK(problems_of("x:\n  - a: 1\n    a: 1\n") ==
          "f.yaml:3:5: x[0].a: is given twice; remove it here or at f.yaml:2:5");
}

TEST_CASE("anchors, aliases and tags are refused by name") {
    const std::string anchors =
        "anchors (&) and aliases (*) are not supported; write the value out, share files by extends, or put text that "
        "begins with such a character in quotes";

    CHECK(problems_of("a: &x 1\nb: *x\n") == "f.yaml:1:4: a: " + anchors + "\nf.yaml:2:4: b: " + anchors);
    CHECK(problems_of("a: *x\n") == "f.yaml:1:4: " + anchors);
    CHECK(problems_of("a: &x {b: 1}\n") == "f.yaml:1:4: a: " + anchors);
    CHECK(problems_of("a: !!int 5\n") ==
          "f.yaml:1:4: a: tags (!) are not supported; remove \"tag:yaml.org,2002:int\", or put text that begins with ! "
          "in quotes");
}

TEST_CASE("a second document is told from a leftover") {
    CHECK(problems_of("a: 1\n---\nb: 2\n") == "f.yaml:2:1: a second document begins here; write one document a file");
    CHECK(problems_of("- 1\nb: 2\n") ==
          "f.yaml:2:1: this does not belong to what is above; check the indentation, brackets and quotes");
    CHECK(problems_of("--- # one\na: 1\n...\n").empty());
}

TEST_CASE("keys must be plain names") {
    const std::string plain = ": a key must be a plain name; write it like \"name: value\"";

    CHECK(problems_of("? [1, 2]\n: 3\n") == "f.yaml:1:3" + plain);
    CHECK(problems_of("{a: 1}: 3\n") == "f.yaml:1:1" + plain);
    CHECK(problems_of(": 3\n") == "f.yaml:1:1" + plain);
    CHECK(problems_of("a: {\"\": 3}\n") == "f.yaml:1:5: a" + plain);
}

TEST_CASE("a missing space after the colon is recognised") {
    CHECK(problems_of("a: {b:1}\n") == "f.yaml:1:5: a.\"b:1\": has no space after the colon; write \"b: 1\"");
}

TEST_CASE("syntax errors point at the spot and say what to do") {
    CHECK(problems_of("a: b: c\n") ==
          "f.yaml:1:5: a \"key: value\" cannot be here; check the indentation, and put text that contains \": \" in "
          "quotes");
    CHECK(problems_of("a:\n  b: 1\n c: 2\n") ==
          "f.yaml:3:2: this line does not fit the map above; give all keys of a map the same indentation");
    CHECK(problems_of("a: [1, 2\n") ==
          "f.yaml:1:4: this [ is never closed, or a comma is missing after it; write [value, value]");
    CHECK(problems_of("a: {b: 1\n") ==
          "f.yaml:1:4: this { is never closed, or a comma is missing after it; write {key: value, key: value}");
    CHECK(problems_of("a: ]\n") == "f.yaml:1:4: this bracket closes nothing; remove it, or open it before");
    CHECK(problems_of("a: \"x\n") == "f.yaml:1:4: a: a quote is opened here and never closed; close it");
    CHECK(problems_of("b: 'it''s\na: 1\n") == "f.yaml:1:4: b: a quote is opened here and never closed; close it");
    CHECK(problems_of("b: 'it''s'\nc: \"a \\\" b\"\nd: ''\ne: '\"'\n").empty());
    CHECK(problems_of("\u00e9: [\"\u00e9\", 'x', \"y\"]\n").empty());
    CHECK(problems_of("a: \"x") == "f.yaml:1:6: a quote before this place is never closed; close it");
    CHECK(problems_of("a: @x\n") == "f.yaml:1:4: a value cannot begin with this character; put it in quotes");
    CHECK(problems_of("a: \"\\q\"\n") ==
          "f.yaml:1:7: this is not valid YAML (unknown escape character: q); check quotes, brackets and indentation");
}

TEST_CASE("tabs as indentation, control characters and other encodings are refused where they are") {
    CHECK(problems_of("a:\n\tb: 1\n  \tc: 1\n") ==
          "f.yaml:2:1: a tab cannot be used for indentation; write spaces\n"
          "f.yaml:3:3: a tab cannot be used for indentation; write spaces");
    CHECK(problems_of("a: 1 \t# fine\n").empty());
    CHECK(problems_of(std::string_view{"a: 1\nb: \0x\n", 11}) ==
          "f.yaml:2:4: a control character is not allowed here; remove it");
    CHECK(problems_of("a: \x1b[31m\n") == "f.yaml:1:4: a control character is not allowed here; remove it");
    CHECK(problems_of("a: caf\xe9\n") == "f.yaml:1:7: this byte is not UTF-8; save the file as UTF-8 text");
    CHECK(problems_of(std::string_view{"\xff\xfe\x61\0", 4}) ==
          "f.yaml:1:1: this byte is not UTF-8; save the file as UTF-8 text");
}

TEST_CASE("nesting, size and number of values are bounded") {
    const std::string deep = ": is nested more than 100 levels deep; no configuration needs that, check the brackets";

    CHECK(problems_of(repeated("[", 99) + "x" + repeated("]", 99)).empty());
    CHECK(problems_of(repeated("[", 101) + "x" + repeated("]", 101)) == "f.yaml:1:101" + deep);
    CHECK(problems_of(repeated("[", 500'000)).find("f.yaml:1:") == 0);
    CHECK(problems_of(repeated("- ", 200'000)) == "f.yaml:1:201" + deep);
    CHECK(problems_of(repeated("{a: ", 101) + "x" + repeated("}", 101)) == "f.yaml:1:401" + deep);
    CHECK(problems_of("a: " + repeated("x", 1 << 20)) ==
          "f.yaml:1:1: is larger than 1.00 MiB; is this a configuration?");
    CHECK(problems_of("[" + repeated("1,", 100'001) + "]") ==
          "f.yaml:1:1: has more than 100000 values; no configuration needs that");
}

TEST_CASE("no text makes the parser crash, hang or forget to say why") {
    static constexpr std::string_view kPieces[] = {
        "a: ", "- ",    "{",     "}",           "[",    "]",         ",",    "\n",   "  ",
        "\"",  "'",     "|\n",   ">-\n",        "? ",   ": ",        "&x",   " *x ", "!t ",
        "#",   "---\n", "...\n", "%YAML 1.2\n", "<<: ", "~",         "\t",   "\r\n", "\\u0",
        "nan", "5%",    "\xc3",  "\xc3\xa9",    "\x7f", "extends: ", "null", "a",    "\xef\xbb\xbf"};
    Random random{99};

    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (std::uint64_t n = random.below(20); n > 0; --n) {
            text += kPieces[random.below(std::size(kPieces))];
        }
        std::vector<Problem> problems;
        const auto node = parse_yaml(text, "f.yaml", problems);
        CAPTURE(text);
        REQUIRE((node.has_value() || !problems.empty()));
        for (const Problem& problem : problems) {
            REQUIRE(problem.place.line >= 1);
            REQUIRE(problem.place.column >= 1);
            REQUIRE(problem.sentence.find('\n') == std::string::npos);
        }
    }
}
