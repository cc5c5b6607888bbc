// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <catch2/catch.hpp>

#include "sim/base/random.h"

using namespace ftlab;
using namespace ftlab::literals;

TEST_CASE("a double is written with the fewest digits that read back as the same double") {
    CHECK(text::number(0.1) == "0.1");
    CHECK(text::number(5.6) == "5.6");
    CHECK(text::number(7000) == "7000");
    CHECK(text::number(1e20) == "1e+20");
    CHECK(text::number(-0.0) == "-0");
    CHECK(text::number(std::nan("")) == "nan");
    CHECK(text::number(-std::numeric_limits<double>::infinity()) == "-inf");

    Random random{7};
    for (int i = 0; i < 10'000; ++i) {
        const double value = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(600)) - 300);
        REQUIRE(std::strtod(text::number(value).c_str(), nullptr) == value);
    }
}

TEST_CASE("a quoted text never breaks the line or the encoding of a message") {
    CHECK(text::quote("16 KiB") == "\"16 KiB\"");
    CHECK(text::quote("a\nb\tc\x01") == "\"a\\nb\\tc\\x01\"");
    CHECK(text::quote("\xff\xc3") == "\"\\xff\\xc3\"");
    CHECK(text::quote("5 \u00b5s") == "\"5 \u00b5s\"");
    CHECK(text::quote(std::string(60, 'x')) == "\"" + std::string(60, 'x') + "\"");
    CHECK(text::quote(std::string(61, 'x')) == "\"" + std::string(60, 'x') + "...\"");
}

TEST_CASE("only well-formed UTF-8 counts as a character") {
    CHECK(text::utf8_length("a") == 1);
    CHECK(text::utf8_length("\u00e9") == 2);
    CHECK(text::utf8_length("\u20ac") == 3);
    CHECK(text::utf8_length("\U0001f600") == 4);
    CHECK(text::utf8_length("") == 0);
    CHECK(text::utf8_length("\x80") == 0);
    CHECK(text::utf8_length("\xc0\xaf") == 0);          // over-long
    CHECK(text::utf8_length("\xe0\x80\xaf") == 0);      // over-long
    CHECK(text::utf8_length("\xed\xa0\x80") == 0);      // surrogate
    CHECK(text::utf8_length("\xf4\x90\x80\x80") == 0);  // beyond U+10FFFF
    CHECK(text::utf8_length("\xe2\x82") == 0);          // cut off
}

TEST_CASE("a CSV field is quoted only when a reader would split it") {
    CHECK(text::csv_field("run") == "run");
    CHECK(text::csv_field("a,b") == "\"a,b\"");
    CHECK(text::csv_field("a\"b") == "\"a\"\"b\"");
    CHECK(text::csv_field("a\nb") == "\"a\nb\"");
}

TEST_CASE("people read three digits and a fitting unit") {
    CHECK(text::people(3'200_us) == "3.20 ms");
    CHECK(text::people(Time{1}) == "1.00 ps");
    CHECK(text::people(Time{0}) == "0 s");
    CHECK(text::people(25_us) == "25.0 us");
    CHECK(text::people(Time{999'999'999}) == "1.00 ms");
    CHECK(text::people(2'100_s) == "35.0 min");
    CHECK(text::people(7'200_s) == "2.00 h");
    CHECK(text::people(Bytes{1'342'177'280}) == "1.25 GiB");
    CHECK(text::people(512_B) == "512 B");
    CHECK(text::people(Bytes{1'048'575}) == "1.00 MiB");
    CHECK(text::people(Bandwidth{512'345'678}) == "512 MB/s");
    CHECK(text::people(Bandwidth{999}) == "999 B/s");
    CHECK(text::people(Ratio{0.07}) == "7.00%");
    CHECK(text::people_iops(77'000) == "77.0K IOPS");
    CHECK(text::people_count(950) == "950");
    CHECK(text::people_count(0.5) == "0.50");
    CHECK(text::people_count(999.7) == "1.00K");
    CHECK(text::people_count(1'250'000) == "1.25M");
}

TEST_CASE("swapping two neighbouring letters is one mistake") {
    CHECK(text::edit_distance("rate", "rate") == 0);
    CHECK(text::edit_distance("rtae", "rate") == 1);
    CHECK(text::edit_distance("rat", "rate") == 1);
    CHECK(text::edit_distance("rated", "rate") == 1);
    CHECK(text::edit_distance("kitten", "sitting") == 3);
    CHECK(text::edit_distance("", "abc") == 3);
    CHECK(text::edit_distance("abc", "") == 3);
}

TEST_CASE("a suggestion is made only when it is likely to be meant") {
    static constexpr std::array<std::string_view, 3> kNames{"lazy", "threshold", "paced"};

    CHECK(text::suggest("lasy", kNames) == "did you mean \"lazy\"?");
    CHECK(text::suggest("treshhold", kNames) == "did you mean \"threshold\"?");
    CHECK(text::suggest("greedy", kNames) == "write one of: lazy, threshold, paced");
    CHECK(text::suggest("", kNames) == "write one of: lazy, threshold, paced");
    CHECK(text::nearest(std::string(100'000, 'l'), kNames).empty());
}
