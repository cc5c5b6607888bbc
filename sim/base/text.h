// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/units.h"

/// Text for people and for files.  What must be read back exactly is in quantity.h.
namespace ftlab::text {

/// The shortest decimal text that reads back as `value`: 5.6, 1e+20, 0.1.  The same on every machine; used for CSV and
/// JSON alike.  "nan", "inf" and "-inf" for what is not finite.
[[nodiscard]] std::string number(double value);

/// `text` in double quotes for a message: control characters and bytes that are not UTF-8 escaped, cut after about 60
/// characters.
[[nodiscard]] std::string quote(std::string_view text);
/// Bytes of the well-formed UTF-8 character at the start of `text`; 0 when there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);
/// One field of a CSV file: quoted only when it has to be (RFC 4180).
[[nodiscard]] std::string csv_field(std::string_view text);

/// Three significant digits with a unit, rounded: for reading, never for reading back.
[[nodiscard]] std::string people(Time value);       // "3.20 ms", "35.0 min"
[[nodiscard]] std::string people(Bytes value);      // "1.25 GiB"
[[nodiscard]] std::string people(Bandwidth value);  // "512 MB/s"
[[nodiscard]] std::string people(Ratio value);      // "7.00%"
/// "77.0K", "1.25M", "950"
[[nodiscard]] std::string people_count(double value);
/// "77.0K IOPS"
[[nodiscard]] std::string people_iops(double per_second);

/// Levenshtein distance with transpositions of neighbours (optimal string alignment).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);
/// The name nearest to `wrong`, the first of equals; empty when none is near enough to be meant.
[[nodiscard]] std::string_view nearest(std::string_view wrong, std::span<const std::string_view> names);
/// The end of a message about an unknown name: `did you mean "lazy"?`, else `write one of: lazy, threshold`.
[[nodiscard]] std::string suggest(std::string_view wrong, std::span<const std::string_view> names);

}  // namespace ftlab::text
