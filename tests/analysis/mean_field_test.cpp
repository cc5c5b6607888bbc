// SPDX-License-Identifier: MIT
#include "sim/analysis/mean_field.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <yaml-cpp/yaml.h>

#include "tests/support/shared_file.h"

using namespace ftlab;
using namespace ftlab::analysis;

namespace {

constexpr std::initializer_list<double> kGrid{0.01, 0.05, 0.07, 0.1, 0.125, 0.15, 0.2, 0.25, 0.28, 0.4, 0.5, 0.7, 0.95};

std::optional<YAML::Node> rows_of(const std::string& table) {
    const auto file = ftlab::testing::shared_file("reference/theory_tables.yaml");
    if (!file) {
        return std::nullopt;
    }
    return YAML::LoadFile(*file)["tables"][table]["rows"];
}

/// Rows are by Sf = 1 - U/T or by OP = T/U - 1.
Ratio spare_factor_of(const YAML::Node& row) {
    const auto value = row["value"].as<double>();
    return Ratio{row["param"].as<std::string>() == "Sf" ? value : value / (1.0 + value)};
}

}  // namespace

TEST_CASE("collecting in write order costs 5.1787 programs a write at Sf 10%, whatever the block size") {
    CHECK(waf_fifo(Ratio{0.07}) == Approx(7.31772).epsilon(1e-6));
    CHECK(waf_fifo(Ratio{0.10}) == Approx(5.17866).epsilon(1e-6));
    CHECK(waf_fifo(Ratio{0.50}) == Approx(1.25500).epsilon(1e-5));
}

TEST_CASE("a victim drawn at random costs 1/Sf programs a write") {
    for (const double sf : kGrid) {
        CHECK(waf_random(Ratio{sf}) == Approx(1.0 / sf));
    }
}

TEST_CASE("small blocks let greedy collection do better") {
    CHECK(waf_greedy(Ratio{0.07}, 16) == Approx(5.15346).epsilon(1e-5));
    CHECK(waf_greedy(Ratio{0.07}, 64) == Approx(6.6155).epsilon(1e-4));
    CHECK(waf_greedy(Ratio{0.07}, 256) == Approx(7.1239).epsilon(1e-4));
    CHECK(waf_greedy(Ratio{0.20}, 64) == Approx(2.5993).epsilon(1e-4));
    CHECK(waf_greedy(Ratio{0.50}, 16) == Approx(1.1965).epsilon(1e-4));
}

TEST_CASE("greedy collection is free where blocks empty before they are collected") {
    CHECK(waf_greedy(Ratio{0.95}, 4) == 1.0);
    CHECK(waf_greedy(Ratio{0.80}, 1) == 1.0);
}

TEST_CASE("ten draws come near to greedy and two do not") {
    CHECK(waf_d_choices(Ratio{0.07}, 64, 2) == Approx(9.6354).epsilon(1e-4));
    CHECK(waf_d_choices(Ratio{0.07}, 64, 10) == Approx(6.894).epsilon(1e-4));
    CHECK(waf_d_choices(Ratio{0.20}, 256, 2) == Approx(3.5677).epsilon(1e-4));
    CHECK(waf_d_choices(Ratio{0.20}, 256, 10) == Approx(2.7341).epsilon(1e-4));
}

TEST_CASE("one draw is random collection and many draws are greedy collection") {
    for (const double sf : kGrid) {
        for (const std::uint32_t block : {4U, 16U, 256U}) {
            CHECK(waf_d_choices(Ratio{sf}, block, 1) == Approx(1.0 / sf).epsilon(1e-9));
            CHECK(waf_d_choices(Ratio{sf}, block, 1'000'000) == Approx(waf_greedy(Ratio{sf}, block)).epsilon(1e-4));
        }
    }
}

TEST_CASE("more draws never cost more, and greedy is the least") {
    for (const double sf : kGrid) {
        for (const std::uint32_t block : {16U, 64U}) {
            double before = waf_random(Ratio{sf}) * (1 + 1e-9);
            for (const std::uint32_t d : {1U, 2U, 3U, 5U, 10U, 30U, 300U}) {
                const double waf = waf_d_choices(Ratio{sf}, block, d);
                CHECK(waf <= before * (1 + 1e-9));
                before = waf;
            }
            CHECK(waf_greedy(Ratio{sf}, block) <= before * (1 + 1e-9));
        }
    }
}

TEST_CASE("for large blocks greedy collection is no better than write order") {
    for (const double sf : kGrid) {
        CHECK(waf_greedy(Ratio{sf}, 65536) == Approx(waf_fifo(Ratio{sf})).epsilon(1e-3));
    }
}

TEST_CASE("greedy collection keeps its balance at every spare factor") {
    // A level chosen one too high or too low would show as a jump.
    for (const std::uint32_t block : {1U, 2U, 7U, 64U}) {
        double before = waf_greedy(Ratio{0.001}, block);
        for (int i = 2; i < 1000; ++i) {
            const double waf = waf_greedy(Ratio{i * 0.001}, block);
            CHECK(waf <= before);
            CHECK(waf >= 1.0);
            CHECK((i < 100 || before - waf < 0.15));
            before = waf;
        }
    }
}

TEST_CASE("the reference table of write order is met to its last digit") {
    const auto rows = rows_of("fifo_uniform");
    for (std::size_t i = 0; rows && i < rows->size(); ++i) {
        const YAML::Node row = (*rows)[i];
        INFO(row["param"] << " " << row["value"]);
        CHECK(waf_fifo(spare_factor_of(row)) == Approx(row["WA_fifo"].as<double>()).epsilon(2e-6));
        CHECK(waf_random(spare_factor_of(row)) == Approx(row["WA_random_gc"].as<double>()).epsilon(2e-6));
    }
}

TEST_CASE("the reference table of greedy collection is met to its last digit") {
    const auto rows = rows_of("greedy_uniform");
    for (std::size_t i = 0; rows && i < rows->size(); ++i) {
        const YAML::Node row = (*rows)[i];
        INFO(row["param"] << " " << row["value"] << " b " << row["b"]);
        CHECK(waf_greedy(spare_factor_of(row), row["b"].as<std::uint32_t>()) ==
              Approx(row["WA_meanfield_greedy"].as<double>()).epsilon(2e-5));
    }
}

TEST_CASE("the reference table of several draws is met to its last digit") {
    const auto rows = rows_of("dchoices_uniform");
    for (std::size_t i = 0; rows && i < rows->size(); ++i) {
        const YAML::Node row = (*rows)[i];
        for (const std::uint32_t d : {1U, 2U, 5U, 10U, 30U}) {
            INFO(row["param"] << " " << row["value"] << " b " << row["b"] << " d " << d);
            CHECK(waf_d_choices(spare_factor_of(row), row["b"].as<std::uint32_t>(), d) ==
                  Approx(row["d" + std::to_string(d)].as<double>()).epsilon(5e-6));
        }
    }
}
