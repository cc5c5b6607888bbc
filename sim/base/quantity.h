// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace ftlab {

/// A value read from text, or a complaint: a sentence that quotes the text, says what is wrong and how to write it.
template <class T>
struct Parsed {
    T value{};
    std::string complaint;

    explicit operator bool() const { return complaint.empty(); }
};

/// "25 us", "1.5 ms", "10 min".  Units ps ns us ms s min h; exact: what is not a whole number of picoseconds is
/// refused, as is a negative time.
[[nodiscard]] Parsed<Time> parse_time(std::string_view text);
/// "16 KiB", "256 GB".  Units B, kB MB GB TB (powers of 1000), KiB MiB GiB TiB (powers of 1024); exact in bytes.
[[nodiscard]] Parsed<Bytes> parse_bytes(std::string_view text);
/// "200 MB/s", "1 GiB/s"; exact in bytes a second.
[[nodiscard]] Parsed<Bandwidth> parse_bandwidth(std::string_view text);
/// "7%", "-0.5%".  The percent sign is required.
[[nodiscard]] Parsed<Ratio> parse_ratio(std::string_view text);
/// A finite decimal number without a unit.
[[nodiscard]] Parsed<double> parse_number(std::string_view text);
/// A whole decimal number without a unit, in [low, high]; low <= 0 <= high.
[[nodiscard]] Parsed<std::int64_t> parse_signed(std::string_view text, std::int64_t low, std::int64_t high);
[[nodiscard]] Parsed<std::uint64_t> parse_unsigned(std::string_view text, std::uint64_t high);
/// true or false, nothing else.
[[nodiscard]] Parsed<bool> parse_bool(std::string_view text);

/// The shortest text that the parser above reads back as exactly this value.  The same on every machine.
[[nodiscard]] std::string exact_text(Time value);
[[nodiscard]] std::string exact_text(Bytes value);
[[nodiscard]] std::string exact_text(Bandwidth value);
[[nodiscard]] std::string exact_text(Ratio value);
[[nodiscard]] std::string exact_text(double value);

}  // namespace ftlab
