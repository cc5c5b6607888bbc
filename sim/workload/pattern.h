// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "sim/base/catalog.h"
#include "sim/base/config.h"
#include "sim/base/random.h"
#include "sim/workload/shape.h"
#include "sim/workload/source.h"

namespace ftlab::workload {

/// Where the requests of a workload go: a policy that a scenario names.
class Pattern {
public:
    Pattern() = default;
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;
    virtual ~Pattern() = default;

    /// Why the pattern cannot have this shape (which is valid()), if so; keys are those of the pattern's parameters.
    [[nodiscard]] virtual std::optional<config::Complaint> complaint(const Shape& /*shape*/) const {
        return std::nullopt;
    }

    /// Requests of this shape, which the pattern does not complain about.
    [[nodiscard]] virtual std::unique_ptr<Source> start(const Shape& shape, Random random) const = 0;
};

/// Registers `sequential` and `uniform`.
void add_builtin_patterns(Catalog& catalog);

}  // namespace ftlab::workload
