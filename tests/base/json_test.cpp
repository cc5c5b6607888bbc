// SPDX-License-Identifier: MIT
#include "sim/base/json.h"

#include <limits>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace ftlab;
using Json = nlohmann::ordered_json;

TEST_CASE("JSON keeps the order of keys and puts plain lists on one line") {
    Json json;
    json["waf"] = 4.75;
    json["phases"] = Json::array({Json{{"name", "fill"}, {"seconds", 2000.0}}, Json::object()});
    json["iops"] = {1, 2.5, "x", nullptr, true};
    json["empty"] = Json::array();

    CHECK(to_text(json) ==
          "{\n"
          "  \"waf\": 4.75,\n"
          "  \"phases\": [\n"
          "    {\n"
          "      \"name\": \"fill\",\n"
          "      \"seconds\": 2000\n"
          "    },\n"
          "    {}\n"
          "  ],\n"
          "  \"iops\": [1, 2.5, \"x\", null, true],\n"
          "  \"empty\": []\n"
          "}\n");
    CHECK(Json::parse(to_text(json)) == json);
}

TEST_CASE("numbers are written in full precision and never as something that is no JSON") {
    CHECK(to_text(Json(0.1)) == "0.1\n");
    CHECK(to_text(Json(1.0 / 3)) == "0.3333333333333333\n");
    CHECK(to_text(Json(std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615\n");
    CHECK(to_text(Json(std::numeric_limits<double>::quiet_NaN())) == "null\n");
    CHECK(to_text(Json(std::numeric_limits<double>::infinity())) == "null\n");
}

TEST_CASE("text is escaped, and bytes that are not UTF-8 do not stop the writing") {
    CHECK(to_text(Json("a\"\n\x01")) == "\"a\\\"\\n\\u0001\"\n");
    CHECK(to_text(Json("\xff")) == "\"\xef\xbf\xbd\"\n");
}

TEST_CASE("the line of YAML quotes only what YAML would misread") {
    const auto line = [](const Json& json) { return to_yaml_line(json); };

    CHECK(line("16 KiB") == "16 KiB");
    CHECK(line("7%") == "7%");
    CHECK(line("-5%") == "-5%");
    CHECK(line("200 MB/s") == "200 MB/s");
    CHECK(line("null") == "\"null\"");
    CHECK(line("~") == "\"~\"");
    CHECK(line("") == "\"\"");
    CHECK(line("a: b") == "\"a: b\"");
    CHECK(line("- a") == "\"- a\"");
    CHECK(line("#1") == "\"#1\"");
    CHECK(line(nullptr) == "~");
    CHECK(line({{"d_choices", {{"d", 10}}}, {"l", {1, "x y"}}}) == "{d_choices: {d: 10}, l: [1, x y]}");
}
