// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>

namespace ftlab {

/// Simulated time: an instant since the start of the simulation, or an interval.  Integer picoseconds; 2^63 ps are
/// 106 days.  No floating point ever enters simulated time.
using Time = std::chrono::duration<std::int64_t, std::pico>;
using Duration = Time;

inline constexpr Time kNever{std::numeric_limits<std::int64_t>::max()};

namespace literals {
constexpr Time operator""_ps(unsigned long long n) { return Time{static_cast<std::int64_t>(n)}; }
constexpr Time operator""_ns(unsigned long long n) { return Time{static_cast<std::int64_t>(n) * 1'000}; }
constexpr Time operator""_us(unsigned long long n) { return Time{static_cast<std::int64_t>(n) * 1'000'000}; }
constexpr Time operator""_ms(unsigned long long n) { return Time{static_cast<std::int64_t>(n) * 1'000'000'000}; }
constexpr Time operator""_s(unsigned long long n) { return Time{static_cast<std::int64_t>(n) * 1'000'000'000'000}; }
}  // namespace literals

/// For reports only: never feeds back into the model.
constexpr double to_seconds(Time t) { return static_cast<double>(t.count()) * 1e-12; }
constexpr double to_microseconds(Time t) { return static_cast<double>(t.count()) * 1e-6; }

/// A size or an offset in bytes.
struct Bytes {
    std::uint64_t count = 0;

    friend constexpr auto operator<=>(Bytes, Bytes) = default;
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
    friend constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
    friend constexpr Bytes operator*(Bytes a, std::uint64_t n) { return {a.count * n}; }
    friend constexpr std::uint64_t operator/(Bytes a, Bytes b) { return a.count / b.count; }
    friend constexpr Bytes operator%(Bytes a, Bytes b) { return {a.count % b.count}; }
};

namespace literals {
constexpr Bytes operator""_B(unsigned long long n) { return {n}; }
constexpr Bytes operator""_KiB(unsigned long long n) { return {n << 10U}; }
constexpr Bytes operator""_MiB(unsigned long long n) { return {n << 20U}; }
constexpr Bytes operator""_GiB(unsigned long long n) { return {n << 30U}; }
}  // namespace literals

/// A transfer rate.
struct Bandwidth {
    std::uint64_t bytes_per_second = 0;

    friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
};

/// A share or a relative change; written "7%".
struct Ratio {
    double value = 0;

    friend constexpr auto operator<=>(Ratio, Ratio) = default;
};

/// How long `size` takes at `rate`, rounded up to the next picosecond.  `rate` must not be zero.
constexpr Time transfer_time(Bytes size, Bandwidth rate) {
    __extension__ using Wide = unsigned __int128;
    const Wide scaled = static_cast<Wide>(size.count) * 1'000'000'000'000ULL;
    return Time{static_cast<std::int64_t>((scaled + rate.bytes_per_second - 1) / rate.bytes_per_second)};
}

/// The host's addressing unit (ATA, NVMe with 512 B format) and the FTL's mapping unit.
inline constexpr Bytes kLbaSize{512};
inline constexpr Bytes kSectorSize{4096};
inline constexpr std::uint32_t kLbasPerSector = 8;

}  // namespace ftlab
