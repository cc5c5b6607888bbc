// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "sim/workload/shape.h"
#include "sim/workload/source.h"

namespace ftlab::workload {

/// Walks through the span from `start` upwards, goes on at its first LBA when it comes to its end, and so on; with
/// `passes`, until each LBA of the span has had that many requests (1: a fill, everything exactly once).
/// A block that would cross the end of the span, or of the last pass, is shortened.
class Sequential final : public Source {
public:
    /// `start` is counted from the beginning of the span and lies within it.
    Sequential(const Shape& shape, std::uint64_t start, std::optional<std::uint32_t> passes);

    std::size_t fill(std::span<Request> out) override;

private:
    static constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

    Shape shape_;
    std::uint64_t next_;  // from the beginning of the span
    std::uint64_t left_;  // LBAs until the end of the last pass
};

}  // namespace ftlab::workload
