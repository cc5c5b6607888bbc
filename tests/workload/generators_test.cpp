// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "sim/workload/mix.h"
#include "sim/workload/sequential.h"
#include "sim/workload/uniform.h"

namespace ftlab::workload {
namespace {

const RandomStreams kStreams{42};

std::vector<Request> take(Source& source, std::size_t count) {
    std::vector<Request> requests(count);
    requests.resize(source.fill(requests));
    return requests;
}

/// How often each LBA of [0, lbas) is covered.
std::vector<unsigned> coverage(const std::vector<Request>& requests, std::uint64_t lbas) {
    std::vector<unsigned> times(lbas);
    for (const Request& request : requests) {
        REQUIRE(request.end() <= lbas);
        for (std::uint64_t lba = request.first.value; lba < request.end(); ++lba) {
            ++times[lba];
        }
    }
    return times;
}

TEST_CASE("a sequential fill writes every LBA of its span exactly once, in order, whatever the block size") {
    const std::uint64_t block = GENERATE(1U, 7U, 8U, 100U, 256U, 1000U);
    const Span span{Lba{24}, 1000};
    Sequential fill{{.span = span, .block = block}, 0, 1};

    const std::vector<Request> requests = take(fill, 2000);

    std::uint64_t expected = span.first.value;
    for (const Request& request : requests) {
        REQUIRE(request.first.value == expected);
        REQUIRE(request.lbas > 0);
        REQUIRE(request.op == Op::write);
        expected = request.end();
    }
    CHECK(expected == span.end());
    CHECK(requests.size() == (span.lbas + block - 1) / block);
    CHECK_FALSE(fill.next().has_value());
}

TEST_CASE("only the last block of a pass is shortened") {
    Sequential fill{{.span = {Lba{0}, 20}, .block = 8}, 0, 1};

    const std::vector<Request> requests = take(fill, 10);

    REQUIRE(requests.size() == 3);
    CHECK(requests[0].lbas == 8);
    CHECK(requests[1].lbas == 8);
    CHECK(requests[2].lbas == 4);
}

TEST_CASE("a sequential pass that starts in the middle still covers everything exactly once") {
    const std::uint64_t start = GENERATE(1U, 8U, 96U, 99U);
    const unsigned passes = GENERATE(1U, 3U);
    Sequential walk{{.span = {Lba{0}, 100}, .block = 8}, start, passes};

    const std::vector<Request> requests = take(walk, 1000);

    CHECK(requests.front().first == Lba{start});
    const std::vector<unsigned> times = coverage(requests, 100);
    CHECK(std::all_of(times.begin(), times.end(), [passes](unsigned n) { return n == passes; }));
}

TEST_CASE("an endless sequential workload begins again at its span, not at LBA 0") {
    Sequential walk{{.span = {Lba{512}, 64}, .block = 32}, 0, std::nullopt};

    const std::vector<Request> requests = take(walk, 5);

    REQUIRE(requests.size() == 5);
    CHECK(requests[1].first == Lba{544});
    CHECK(requests[2].first == Lba{512});
    CHECK(requests[4].first == Lba{512});
}

TEST_CASE("uniform random requests stay within the span, aligned to it") {
    const auto [span_lbas, block, align] = GENERATE(table<std::uint64_t, std::uint64_t, std::uint64_t>(
        {{800, 8, 8}, {800, 64, 8}, {803, 8, 8}, {800, 3, 1}, {8, 8, 8}, {100, 100, 1}, {101, 7, 50}}));
    const Span span{Lba{1001}, span_lbas};
    UniformRandom random{{.span = span, .block = block, .align = align}, kStreams.stream("a")};

    const std::vector<Request> requests = take(random, 5000);

    CHECK(requests.size() == 5000);
    CHECK(std::all_of(requests.begin(), requests.end(), [&, align = align, block = block](const Request& request) {
        return request.first >= span.first && request.end() <= span.end() &&
               (request.first.value - span.first.value) % align == 0 && request.lbas == block;
    }));
}

TEST_CASE("uniform random requests reach every aligned start, and none more often than chance allows") {
    // 256 bins, 100 expected in each: chi-square has 255 degrees of freedom, mean 255, deviation 22.6.
    constexpr std::uint64_t kBins = 256;
    constexpr std::uint64_t kPerBin = 100;
    UniformRandom random{{.span = {Lba{0}, kBins * 8}, .block = 8, .align = 8}, kStreams.stream("b")};

    std::vector<double> seen(kBins);
    for (const Request& request : take(random, kBins * kPerBin)) {
        ++seen[request.first.value / 8];
    }

    double chi_square = 0;
    for (const double n : seen) {
        chi_square += (n - kPerBin) * (n - kPerBin) / kPerBin;
    }
    CHECK(random.starts() == kBins);
    CHECK(chi_square > 255 - 4 * 22.6);  // too even would be no chance either
    CHECK(chi_square < 255 + 4 * 22.6);
}

TEST_CASE("successive uniform requests are independent") {
    // Pairs of successive halves: four bins of 25,000, three degrees of freedom; 16.3 is exceeded once in a thousand.
    UniformRandom random{{.span = {Lba{0}, 4096}, .block = 8, .align = 8}, kStreams.stream("c")};
    const std::vector<Request> requests = take(random, 100'001);

    std::vector<double> pairs(4);
    for (std::size_t i = 1; i < requests.size(); ++i) {
        const std::size_t before = requests[i - 1].first.value < 2048 ? 0 : 2;
        ++pairs[before + (requests[i].first.value < 2048 ? 0U : 1U)];
    }

    double chi_square = 0;
    for (const double n : pairs) {
        chi_square += (n - 25'000) * (n - 25'000) / 25'000;
    }
    CHECK(chi_square < 16.3);
}

TEST_CASE("the same seed gives the same requests, another seed or name does not") {
    const Shape shape{.span = {Lba{0}, 1 << 20}, .block = 8, .align = 8};
    UniformRandom one{shape, RandomStreams{1}.stream("w")};
    UniformRandom same{shape, RandomStreams{1}.stream("w")};
    UniformRandom other_seed{shape, RandomStreams{2}.stream("w")};
    UniformRandom other_name{shape, RandomStreams{1}.stream("v")};

    const std::vector<Request> requests = take(one, 100);

    CHECK(requests == take(same, 100));
    CHECK(requests != take(other_seed, 100));
    CHECK(requests != take(other_name, 100));
}

std::unique_ptr<Source> mixed(OpShares shares) {
    const Shape shape{.span = {Lba{0}, 1 << 20}, .block = 8, .align = 8, .fua = true};
    return std::make_unique<OpMix>(std::make_unique<UniformRandom>(shape, kStreams.stream("addresses")), shares,
                                   kStreams.stream("operations"));
}

TEST_CASE("how requests are fetched does not change them") {
    const std::size_t batch = GENERATE(1U, 3U, 64U, 100U);
    const std::vector<Request> expected = take(*mixed({.read = Ratio{0.5}}), 1000);
    const std::unique_ptr<Source> source = mixed({.read = Ratio{0.5}});

    std::vector<Request> requests;
    while (requests.size() < expected.size()) {
        for (const Request& request : take(*source, std::min(batch, expected.size() - requests.size()))) {
            requests.push_back(request);
        }
    }

    CHECK(requests == expected);
}

TEST_CASE("a mix has the shares it was asked for, within the bounds of chance") {
    const auto [read, trim] =
        GENERATE(table<double, double>({{0.3, 0}, {0.5, 0.5}, {0.01, 0.2}, {0, 0.1}, {1, 0}, {0, 0}}));
    constexpr double kRequests = 100'000;

    std::vector<double> counts(kOps.size());
    std::size_t wrong_fua = 0;
    for (const Request& request : take(*mixed({Ratio{read}, Ratio{trim}}), static_cast<std::size_t>(kRequests))) {
        ++counts[static_cast<std::size_t>(request.op)];
        wrong_fua += request.fua == (request.op == Op::write) ? 0U : 1U;
    }

    const auto within_chance = [&](Op op, double share) {
        const double deviation = std::sqrt(kRequests * share * (1 - share));
        return std::abs(counts[static_cast<std::size_t>(op)] - kRequests * share) <= 4 * deviation;
    };
    CHECK(within_chance(Op::read, read));
    CHECK(within_chance(Op::trim, trim));
    CHECK(within_chance(Op::write, 1 - read - trim));
    CHECK(wrong_fua == 0);
}

TEST_CASE("the share of reads does not change where requests go") {
    const std::vector<Request> few = take(*mixed({.read = Ratio{0.1}}), 1000);
    const std::vector<Request> many = take(*mixed({.read = Ratio{0.9}}), 1000);

    for (std::size_t i = 0; i < few.size(); ++i) {
        REQUIRE(few[i].first == many[i].first);
    }
}

TEST_CASE("a look-ahead plays exactly what the source produces, and knows what comes next") {
    const std::size_t count = GENERATE(0U, 1U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U);
    const Span span{Lba{0}, 8 * count};
    const Shape shape{.span = {Lba{0}, std::max<std::uint64_t>(span.lbas, 8)}, .block = 8};
    Sequential source{shape, 0, count == 0 ? 0U : 1U};

    std::size_t played = 0;
    for (Lookahead requests{source}; const Request* request = requests.front(); requests.pop()) {
        REQUIRE(request->first == Lba{8 * played});
        for (const std::size_t n : {std::size_t{1}, std::size_t{16}, Lookahead::kVisible - 1}) {
            const Request* later = requests.ahead(n);
            REQUIRE((later != nullptr) == (played + n < count));
            if (later != nullptr) {
                REQUIRE(later->first == Lba{8 * (played + n)});
            }
        }
        REQUIRE(requests.ahead(Lookahead::kVisible) == nullptr);
        ++played;
    }

    CHECK(played == count);
}

}  // namespace
}  // namespace ftlab::workload
