// SPDX-License-Identifier: MIT
#include "sim/base/quantity.h"

#include <cmath>
#include <limits>
#include <string>

#include <catch2/catch.hpp>

#include "sim/base/random.h"

using namespace ftlab;
using namespace ftlab::literals;

namespace {

/// A value of any magnitude: uniform in the number of its bits.
std::uint64_t any_magnitude(Random& random) { return random.next() >> random.below(64); }

}  // namespace

TEST_CASE("a time is read exactly, with decimals as far as picoseconds go") {
    CHECK(parse_time("25 us").value == 25_us);
    CHECK(parse_time("1.5 us").value == 1'500_ns);
    CHECK(parse_time("25us").value == 25_us);
    CHECK(parse_time("  25   us ").value == 25_us);
    CHECK(parse_time("0.001 ns").value == 1_ps);
    CHECK(parse_time("0.1 s").value == 100_ms);
    CHECK(parse_time("2 min").value == 120_s);
    CHECK(parse_time("1.5 h").value == 5'400_s);
    CHECK(parse_time("0 s").value == Time{0});
    CHECK(parse_time("-0 s").value == Time{0});
    CHECK(parse_time("9223372036854775807 ps").value == kNever);
}

TEST_CASE("sizes tell powers of 1000 from powers of 1024") {
    CHECK(parse_bytes("16 KiB").value == 16_KiB);
    CHECK(parse_bytes("16 kB").value == Bytes{16'000});
    CHECK(parse_bytes("256 GB").value == Bytes{256'000'000'000});
    CHECK(parse_bytes("256 GiB").value == 256_GiB);
    CHECK(parse_bytes("1.5 TiB").value == 1536_GiB);
    CHECK(parse_bytes("0.5 KiB").value == 512_B);
    CHECK(parse_bytes("18446744073709551615 B").value == Bytes{std::numeric_limits<std::uint64_t>::max()});
    CHECK(parse_bandwidth("200 MB/s").value == Bandwidth{200'000'000});
    CHECK(parse_bandwidth("1 GiB/s").value == Bandwidth{1ULL << 30U});
}

TEST_CASE("a percentage is the double nearest to its hundredth") {
    CHECK(parse_ratio("7%").value == Ratio{0.07});
    CHECK(parse_ratio("7 %").value == Ratio{0.07});
    CHECK(parse_ratio("0.1%").value == Ratio{0.001});
    CHECK(parse_ratio("-12.5%").value == Ratio{-0.125});
    CHECK(parse_ratio("100%").value == Ratio{1});
}

TEST_CASE("a refused time says what is wrong and how to write it") {
    const auto complaint = [](const char* text) { return parse_time(text).complaint; };

    CHECK(complaint("16") == R"("16" has no unit; write "16 us" (units: ps, ns, us, ms, s, min, h))");
    CHECK(complaint("0") == R"("0" has no unit; write "0 us" (units: ps, ns, us, ms, s, min, h))");
    CHECK(complaint("5 MB") == R"("5 MB" is a size, but a time is wanted; write it like "25 us")");
    CHECK(complaint("5%") == R"("5%" is a percentage, but a time is wanted; write it like "25 us")");
    CHECK(complaint("0.3 ps") == R"("0.3 ps" is not a whole number of picoseconds; write a multiple of 1 ps)");
    CHECK(complaint("-5 us") == R"("-5 us" is negative; write a time of 0 or more)");
    CHECK(complaint("3000 h") == R"("3000 h" is too large; write at most 2562 h)");
    CHECK(complaint("9223372036854775808 ps") == R"("9223372036854775808 ps" is too large; write at most 2562 h)");
    CHECK(complaint("soon") == R"("soon" is not a time; write it like "25 us")");
    CHECK(complaint("") == R"("" is not a time; write it like "25 us")");
    CHECK(complaint("nan s") == R"("nan s" is not a time; write it like "25 us")");
    CHECK(complaint("inf") == R"("inf" is not a time; write it like "25 us")");
    CHECK(complaint(".5 us") == R"(".5 us" is not a time; write it like "25 us")");
    CHECK(complaint("1e3 us") == R"("1e3 us" is not a plain decimal number with a unit; write it like "25 us")");
    CHECK(complaint("1,000 us") == R"("1,000 us" is not a plain decimal number with a unit; write it like "25 us")");
    CHECK(complaint("1.2.3 us") == R"("1.2.3 us" is not a plain decimal number with a unit; write it like "25 us")");
    CHECK(complaint("5 US") == R"("5 US" has the unknown unit "US"; write "5 us")");
    CHECK(complaint("5 \u00b5s") == "\"5 \u00b5s\" has the unknown unit \"\u00b5s\"; write \"5 us\"");
    CHECK(complaint("5 days") == R"("5 days" has the unknown unit "days"; units: ps, ns, us, ms, s, min, h)");
}

TEST_CASE("a refused size says what is wrong and how to write it") {
    const auto complaint = [](const char* text) { return parse_bytes(text).complaint; };

    CHECK(complaint("16") == R"("16" has no unit; write "16 KiB" (units: B, kB, KiB, MB, MiB, GB, GiB, TB, TiB))");
    CHECK(complaint("16 KB") ==
          R"("16 KB" has the unknown unit "KB"; write "16 kB" (powers of 1000) or "16 KiB" (powers of 1024))");
    CHECK(complaint("16 kib") == R"("16 kib" has the unknown unit "kib"; write "16 KiB")");
    CHECK(complaint("16 K") ==
          R"("16 K" has the unknown unit "K"; write "16 kB" (powers of 1000) or "16 KiB" (powers of 1024))");
    CHECK(complaint("5 ms") == R"("5 ms" is a time, but a size is wanted; write it like "16 KiB")");
    CHECK(complaint("5 MB/s") == R"("5 MB/s" is a bandwidth, but a size is wanted; write it like "16 KiB")");
    CHECK(complaint("0.3 B") == R"("0.3 B" is not a whole number of bytes; write a multiple of 1 B)");
    CHECK(complaint("-1 B") == R"("-1 B" is negative; write a size of 0 or more)");
    CHECK(complaint("18446744073709551616 B") ==
          R"("18446744073709551616 B" is too large; write at most 16777215 TiB)");
    CHECK(complaint("99999999999999999999999999999999999999999999999999 TiB").find("is too large") !=
          std::string::npos);
    CHECK(complaint("0.00000000000000000000000000000000000000000000000001 TiB").find("not a whole number") !=
          std::string::npos);
}

TEST_CASE("a refused bandwidth, percentage or number says how to write it") {
    CHECK(parse_bandwidth("200").complaint ==
          R"("200" has no unit; write "200 MB/s" (units: B/s, kB/s, KiB/s, MB/s, MiB/s, GB/s, GiB/s))");
    CHECK(
        parse_bandwidth("200 MBps").complaint ==
        R"("200 MBps" has the unknown unit "MBps"; write "200 MB/s" (powers of 1000) or "200 MiB/s" (powers of 1024))");
    CHECK(parse_bandwidth("6 Gb/s").complaint ==
          R"("6 Gb/s" has the unknown unit "Gb/s"; b is for bits; write bytes, like "200 MB/s")");
    CHECK(parse_bandwidth("200 MB").complaint ==
          R"("200 MB" is a size, but a bandwidth is wanted; write it like "200 MB/s")");
    CHECK(parse_ratio("7").complaint == R"("7" has no percent sign; write "7%")");
    CHECK(parse_ratio("0.07").complaint == R"("0.07" has no percent sign; write "7%", or "0.07%" if that is meant)");
    CHECK(parse_ratio("7 us").complaint == R"("7 us" is a time, but a percentage is wanted; write it like "7%")");
    CHECK(parse_ratio("nan%").complaint == R"("nan%" is not a percentage; write it like "7%")");
    CHECK(parse_ratio("%").complaint == R"("%" is not a percentage; write it like "7%")");
    CHECK(parse_ratio("1e999%").complaint == R"("1e999%" is too large or too small; write it like "7%")");
    CHECK(parse_number("7%").complaint ==
          R"("7%" is a percentage, but a number without a unit is wanted; write it like "0.5")");
    CHECK(parse_number("nan").complaint == R"("nan" is not a number; write it like "0.5")");
    CHECK(parse_number("-inf").complaint == R"("-inf" is not a number; write it like "0.5")");
    CHECK(parse_number("0x10").complaint == R"("0x10" is not a number; write it like "0.5")");
    CHECK(parse_number("5.").complaint == R"("5." is not a number; write it like "0.5")");
    CHECK(parse_number("").complaint == R"("" is not a number; write it like "0.5")");
    CHECK(parse_number("1e999").complaint ==
          R"("1e999" is too large or too small; write a number between 1e-307 and 1e308)");
    CHECK(parse_bool("yes").complaint == R"("yes" is neither true nor false; write true or false)");
    CHECK(parse_bool("True").complaint == R"("True" is neither true nor false; write true or false)");
}

TEST_CASE("a count is whole, in range and without a unit") {
    CHECK(parse_unsigned("18446744073709551615", std::numeric_limits<std::uint64_t>::max()).value ==
          std::numeric_limits<std::uint64_t>::max());
    CHECK(parse_unsigned("007", 10).value == 7);
    CHECK(parse_signed("-128", -128, 127).value == -128);
    CHECK(parse_number("-1.5e3").value == -1500);

    CHECK(parse_unsigned("256", 255).complaint == R"("256" is too large; write at most 255)");
    CHECK(parse_unsigned("18446744073709551616", std::numeric_limits<std::uint64_t>::max()).complaint ==
          R"("18446744073709551616" is too large; write at most 18446744073709551615)");
    CHECK(parse_unsigned("-1", 255).complaint == R"("-1" is negative; write a number from 0 to 255)");
    CHECK(parse_unsigned("5.0", 255).complaint == R"("5.0" is not a whole number; write it without decimals)");
    CHECK(parse_unsigned("16 KiB", 255).complaint ==
          R"("16 KiB" is a size, but a whole number without a unit is wanted; write it like "16")");
    CHECK(parse_unsigned("1e3", 2000).complaint == R"("1e3" is not a whole number; write it like "16")");
    CHECK(parse_unsigned("-", 255).complaint == R"("-" is not a whole number; write it like "16")");
    CHECK(parse_unsigned("+5", 255).complaint == R"("+5" is not a whole number; write it like "16")");
    CHECK(parse_signed("-129", -128, 127).complaint == R"("-129" is out of range; write -128 to 127)");
    CHECK(parse_signed("99999999999999999999", -128, 127).complaint ==
          R"("99999999999999999999" is out of range; write -128 to 127)");
}

TEST_CASE("a quantity is written back in the shortest exact form") {
    CHECK(exact_text(25_us) == "25 us");
    CHECK(exact_text(1'500_ns) == "1.5 us");
    CHECK(exact_text(Time{1'234'567}) == "1234567 ps");
    CHECK(exact_text(1'250_us) == "1.25 ms");
    CHECK(exact_text(2'000_s) == "2000 s");
    CHECK(exact_text(Time{0}) == "0 s");
    CHECK(exact_text(Time{-1'500'000}) == "-1.5 us");
    CHECK(exact_text(16_KiB) == "16 KiB");
    CHECK(exact_text(Bytes{256'000'000'000}) == "256 GB");
    CHECK(exact_text(Bytes{256'060'514'304}) == "250059096 KiB");
    CHECK(exact_text(Bytes{0}) == "0 B");
    CHECK(exact_text(Bytes{4095}) == "4095 B");
    CHECK(exact_text(Bandwidth{200'000'000}) == "200 MB/s");
    CHECK(exact_text(Ratio{0.07}) == "7%");
    CHECK(exact_text(Ratio{1}) == "100%");
    CHECK(exact_text(Ratio{0}) == "0%");
    CHECK(exact_text(Ratio{0.00125}) == "0.125%");
    CHECK(exact_text(Ratio{-0.5}) == "-50%");
    CHECK(exact_text(Ratio{1e-12}) == "1e-10%");
    CHECK(exact_text(5.6) == "5.6");
}

TEST_CASE("every quantity survives being written and read") {
    Random random{20240607};
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t bits = any_magnitude(random);
        const std::uint64_t round = bits - bits % 1000;
        for (const std::uint64_t n : {bits, round}) {
            CAPTURE(n);
            const Time time{static_cast<std::int64_t>(n >> 1U)};
            REQUIRE(parse_time(exact_text(time)).value == time);
            REQUIRE(parse_time(exact_text(time)));
            REQUIRE(parse_bytes(exact_text(Bytes{n})).value == Bytes{n});
            REQUIRE(parse_bandwidth(exact_text(Bandwidth{n})).value == Bandwidth{n});
        }
        const double x = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(120)) - 60);
        CAPTURE(x, exact_text(Ratio{x}));
        REQUIRE(parse_ratio(exact_text(Ratio{x})).value == Ratio{x});
        REQUIRE(parse_number(exact_text(x)).value == x);
    }
}
