// SPDX-License-Identifier: MIT
#include "sim/workload/pattern.h"

#include <cstdint>

#include <fmt/format.h>

#include "sim/base/quantity.h"
#include "sim/workload/sequential.h"
#include "sim/workload/uniform.h"

namespace ftlab::workload {

namespace {

class SequentialPattern final : public Pattern {
public:
    struct Params {
        Bytes start{0};
        std::optional<std::uint32_t> passes;

        static void describe(config::Fields<Params>& f) {
            f("start", &Params::start, "where the first request begins, from the beginning of the span");
            f("passes", &Params::passes, "ends once everything was visited so many times; ~: goes on forever")
                .at_least(1);
            f.check([](const Params& p) -> std::optional<config::Complaint> {
                if (p.start % kLbaSize != Bytes{0}) {
                    return config::Complaint{{"start"}, "must be a multiple of 512 B"};
                }
                return std::nullopt;
            });
        }
    };

    explicit SequentialPattern(const Params& params) : params_{params} {}

    [[nodiscard]] std::optional<config::Complaint> complaint(const Shape& shape) const override {
        if (params_.start / kLbaSize >= shape.span.lbas) {
            return config::Complaint{
                {"start"},
                fmt::format("must lie within the span, which has {}", exact_text(kLbaSize * shape.span.lbas))};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::unique_ptr<Source> start(const Shape& shape, Random /*random*/) const override {
        return std::make_unique<Sequential>(shape, params_.start / kLbaSize, params_.passes);
    }

private:
    Params params_;
};

class UniformPattern final : public Pattern {
public:
    [[nodiscard]] std::unique_ptr<Source> start(const Shape& shape, Random random) const override {
        return std::make_unique<UniformRandom>(shape, random);
    }
};

}  // namespace

void add_builtin_patterns(Catalog& catalog) {
    catalog.registry<Pattern>("workload.pattern")
        .add<SequentialPattern>("sequential", "ascending addresses, from the beginning of the span again after its end")
        .add<UniformPattern>("uniform", "every aligned place of the span with equal probability, independently");
}

}  // namespace ftlab::workload
