// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace ftlab {

/// A stream of random numbers: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).  One add and three multiplications a
/// draw, 64 bits of state, equidistributed: enough for address generation and victim choice.
class Random {
public:
    explicit constexpr Random(std::uint64_t state) : state_{state} {}

    constexpr std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }

    /// Uniform in [0, n); n > 0.  Lemire's multiply-shift; the bias is below n / 2^64.
    constexpr std::uint64_t below(std::uint64_t n) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(next()) * n) >> 64U);
    }

    /// Uniform in [0, 1).
    constexpr double uniform() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

    [[nodiscard]] constexpr std::uint64_t state() const { return state_; }

private:
    std::uint64_t state_;
};

/// Hands out independent streams by name, so that adding a consumer never changes what another one draws.
class RandomStreams {
public:
    explicit constexpr RandomStreams(std::uint64_t seed) : seed_{seed} {}

    [[nodiscard]] constexpr Random stream(std::string_view name) const {
        std::uint64_t h = 0xcbf29ce484222325ULL ^ seed_;  // FNV-1a over the name, then one mixing draw
        for (const char c : name) {
            h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        }
        return Random{Random{h ^ (seed_ * 0x9e3779b97f4a7c15ULL)}.next()};
    }

    [[nodiscard]] constexpr std::uint64_t seed() const { return seed_; }

private:
    std::uint64_t seed_;
};

}  // namespace ftlab
