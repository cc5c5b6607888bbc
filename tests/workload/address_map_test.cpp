// SPDX-License-Identifier: MIT
#include "sim/workload/address_map.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "sim/workload/trace/reader.h"
#include "tests/workload/shared_traces.h"

namespace ftlab::workload {
namespace {

using namespace ftlab::literals;
using testing::shared_trace;

Span span(std::uint64_t first, std::uint64_t lbas) { return {Lba{first}, lbas}; }

std::vector<Span> mapped(AddressMap& map, Span from, Op op = Op::write) {
    std::vector<Span> spans;
    const std::optional<std::string> problem = map.map(op, from, spans);
    REQUIRE(problem.value_or("") == "");
    return spans;
}

std::string problem(AddressMap& map, Span from, Op op = Op::write) {
    std::vector<Span> spans;
    return map.map(op, from, spans).value_or("no problem");
}

TEST_CASE("refuse lets requests up to the very end of the drive through, and nothing beyond") {
    const auto map = make_address_map({.rule = AddressRule::refuse}, 1000, 0);

    CHECK(mapped(*map, span(992, 8)) == std::vector{span(992, 8)});
    CHECK(problem(*map, span(993, 8)) ==
          "ends at LBA 1001, beyond the 1000 LBAs of the drive; choose a larger drive, or a rule for such addresses: "
          "--map wrap, scale or compact");
    CHECK(problem(*map, span(992, 9), Op::trim) != "no problem");
}

TEST_CASE("wrap takes addresses modulo the drive and cuts a request in two at its end") {
    const auto map = make_address_map({.rule = AddressRule::wrap}, 1000, 0);

    CHECK(mapped(*map, span(10, 8)) == std::vector{span(10, 8)});
    CHECK(mapped(*map, span(5'000'016, 8)) == std::vector{span(16, 8)});
    CHECK(mapped(*map, span(2995, 10)) == std::vector{span(995, 5), span(0, 5)});
}

TEST_CASE("wrap keeps offsets in the sector also where the drive is no multiple of 4 KiB") {
    const auto map = make_address_map({.rule = AddressRule::wrap}, 1003, 0);  // 3 LBAs more than 125 sectors

    CHECK(mapped(*map, span(1003, 1)) == std::vector{span(3, 1)});
}

TEST_CASE("a request beyond the size of the drive is refused, a trim of that size covers it once") {
    const AddressRule rule = GENERATE(AddressRule::wrap, AddressRule::scale);
    const auto map = make_address_map({.rule = rule}, 1000, 1'000'000);

    CHECK(problem(*map, span(0, 1001)) == "covers 1001 LBAs, more than the 1000 of the drive; choose a larger drive");
    std::uint64_t covered = 0;
    for (const Span& part : mapped(*map, span(24, 5000), Op::trim)) {
        covered += part.lbas;
        CHECK(part.end() <= 1000);
    }
    CHECK(covered == 1000);
    CHECK(map->dropped() == 4000);
}

TEST_CASE("scale moves starts in proportion and keeps sizes") {
    const auto map = make_address_map({.rule = AddressRule::scale}, 1000, 4000);

    CHECK(mapped(*map, span(0, 8)) == std::vector{span(0, 8)});
    CHECK(mapped(*map, span(3200, 8)) == std::vector{span(800, 8)});
    CHECK(mapped(*map, span(3203, 6)) == std::vector{span(803, 6)});
    CHECK(mapped(*map, span(3960, 40)) == std::vector{span(960, 40)});  // 990 would reach beyond the end
}

TEST_CASE("scale leaves a trace that fits as it is") {
    const auto map = make_address_map({.rule = AddressRule::scale}, 1000, 1000);

    CHECK(mapped(*map, span(3, 7)) == std::vector{span(3, 7)});
    CHECK(mapped(*map, span(992, 8)) == std::vector{span(992, 8)});
}

TEST_CASE("compact places chunks in the order of their first touch and keeps what is in them") {
    const auto map = make_address_map({.rule = AddressRule::compact, .chunk = 64_KiB}, 1024, 0);  // chunks of 128 LBAs

    CHECK(mapped(*map, span(128'000, 8)) == std::vector{span(0, 8)});
    CHECK(mapped(*map, span(5, 3), Op::read) == std::vector{span(133, 3)});
    CHECK(mapped(*map, span(128'005, 8)) == std::vector{span(5, 8)});
    CHECK(mapped(*map, span(6, 3)) == std::vector{span(134, 3)});
}

TEST_CASE("compact keeps a run in one piece where its chunks are new, and cuts it where they are not neighbours") {
    const auto map = make_address_map({.rule = AddressRule::compact, .chunk = 64_KiB}, 1024, 0);

    CHECK(mapped(*map, span(12'800, 300)) == std::vector{span(0, 300)});
    CHECK(mapped(*map, span(12'700, 110)) == std::vector{span(412, 100), span(0, 10)});
}

TEST_CASE("a trim under compact takes no space and reaches only what was touched") {
    const auto map = make_address_map({.rule = AddressRule::compact, .chunk = 64_KiB}, 1024, 0);

    CHECK(mapped(*map, span(0, 128), Op::trim).empty());
    CHECK(map->dropped() == 128);
    CHECK(mapped(*map, span(256, 128)) == std::vector{span(0, 128)});
    CHECK(mapped(*map, span(100, 200), Op::trim) == std::vector{span(0, 44)});
    CHECK(map->dropped() == 128 + 156);
}

TEST_CASE("a trim of a whole device is mapped at once, in the order of its addresses") {
    constexpr std::uint64_t kDevice = std::uint64_t{1} << 52U;
    const auto map = make_address_map({.rule = AddressRule::compact, .chunk = 4_KiB}, 1024, 0);
    for (std::uint64_t sector = 100; sector > 0; sector -= 2) {  // from the back, with gaps
        mapped(*map, span(sector * 8, 8));
    }

    const std::vector<Span> parts = mapped(*map, span(20, kDevice), Op::trim);

    REQUIRE(parts.size() == 50);
    CHECK(parts[0] == span(49 * 8 + 4, 4));  // sector 2 came last; the trim begins in its middle
    CHECK(parts[1] == span(48 * 8, 8));
    CHECK(parts[49] == span(0, 8));
    CHECK(map->dropped() == kDevice - 50 * 8 + 4);
}

TEST_CASE("compact refuses a footprint that exceeds the drive") {
    const auto map = make_address_map({.rule = AddressRule::compact, .chunk = 64_KiB}, 300, 0);  // two chunks and a bit
    mapped(*map, span(0, 1));
    mapped(*map, span(12'800, 1));

    CHECK(problem(*map, span(25'600, 1)) ==
          "touches more than the 2 chunks of 64 KiB that the drive holds; choose a larger drive or a smaller chunk");
    CHECK(mapped(*map, span(12'900, 1)) == std::vector{span(228, 1)});
}

TEST_CASE("a chunk larger than the drive is a complaint") {
    const auto found = complaint({.rule = AddressRule::compact, .chunk = 1_MiB}, 2047);

    REQUIRE(found.has_value());
    CHECK(found->keys == std::vector<std::string>{"chunk"});
    CHECK(found->sentence == "must not exceed the drive, which has 1048064 B");
    CHECK_FALSE(complaint({.rule = AddressRule::compact, .chunk = 1_MiB}, 2048).has_value());
    CHECK_FALSE(complaint({.rule = AddressRule::wrap, .chunk = 1_MiB}, 8).has_value());
    CHECK(complaint({.rule = AddressRule::wrap}, 7).has_value());
}

/// Whether rules (1) to (3) of AddressMap hold for one request.
bool keeps_rules(const std::vector<Span>& parts, Span from, Op op, std::uint64_t drive_lbas) {
    std::uint64_t covered = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool begins_well = i == 0 || parts[i].first.value % kLbasPerSector == 0;
        const bool ends_well = i + 1 == parts.size() || parts[i].end() % kLbasPerSector == 0;
        if (parts[i].lbas == 0 || parts[i].end() > drive_lbas || !begins_well || !ends_well) {
            return false;
        }
        covered += parts[i].lbas;
    }
    if (op == Op::trim) {
        return covered <= from.lbas;
    }
    return covered == from.lbas && parts.front().first.value % kLbasPerSector == from.first.value % kLbasPerSector &&
           parts.back().end() % kLbasPerSector == from.end() % kLbasPerSector;
}

TEST_CASE("every rule keeps to the drive and keeps partial sectors, whatever comes") {
    const AddressRule rule = GENERATE(AddressRule::wrap, AddressRule::scale, AddressRule::compact);
    const std::uint64_t drive_lbas = GENERATE(8U, 1000U, 1003U, 65536U);
    constexpr std::uint64_t kTraceLbas = 1 << 20U;
    const auto map = make_address_map({.rule = rule, .chunk = 4_KiB}, drive_lbas, kTraceLbas);
    Random random = RandomStreams{7}.stream("address map");

    int accepted = 0;
    int broken = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Op op = random.below(4) == 0 ? Op::trim : Op::write;
        const std::uint64_t first = random.below(kTraceLbas);
        const Span from = span(first, 1 + random.below(std::min<std::uint64_t>(kTraceLbas - first, 100)));
        std::vector<Span> parts;
        if (!map->map(op, from, parts)) {  // compact runs out of space, small drives refuse large requests
            ++accepted;
            broken += keeps_rules(parts, from, op, drive_lbas) ? 0 : 1;
        }
    }

    CHECK(accepted > 4000);  // trims alone are 5000
    CHECK(broken == 0);
}

std::vector<TraceRecord> records_of(const std::string& file) {
    const auto reader = open_trace(file, {});
    std::vector<TraceRecord> records;
    for (TraceRecord record; reader->next(record);) {
        records.push_back(record);
    }
    return records;
}

/// Different 4 KiB sectors, and how many writes cover one of them only in part, counted independently of AddressMap.
struct Effect {
    std::set<std::uint64_t> sectors;
    std::uint64_t partial_sector_writes = 0;

    void add(Span part) {
        for (std::uint64_t sector = part.first.value / 8; sector * 8 < part.end(); ++sector) {
            sectors.insert(sector);
            const bool whole = sector * 8 >= part.first.value && sector * 8 + 8 <= part.end();
            partial_sector_writes += whole ? 0 : 1;
        }
    }
};

TEST_CASE("compact keeps footprint and partial sectors of a real unaligned week on a drive of 64 MiB") {
    const auto file = shared_trace("msr_cambridge/wdev_3.csv");
    if (!file) {
        return;
    }
    const auto map = make_address_map({.rule = AddressRule::compact, .chunk = 1_MiB}, (64_MiB) / kLbaSize, 0);

    Effect original;
    Effect compacted;
    for (const TraceRecord& record : records_of(*file)) {
        const Span from = span(static_cast<std::uint64_t>(record.offset) / 512, record.size / 512);
        original.add(from);
        for (const Span& part : mapped(*map, from)) {
            compacted.add(part);
        }
    }

    CHECK(original.sectors.size() == 316);
    CHECK(compacted.sectors.size() == original.sectors.size());
    CHECK(original.partial_sector_writes == 2 * 682);  // every request begins and ends within a sector
    CHECK(compacted.partial_sector_writes == original.partial_sector_writes);
}

TEST_CASE("wrap and scale keep the partial sectors of a real unaligned week") {
    const auto file = shared_trace("msr_cambridge/wdev_3.csv");
    if (!file) {
        return;
    }
    const AddressRule rule = GENERATE(AddressRule::wrap, AddressRule::scale);
    const auto map = make_address_map({.rule = rule}, (1_GiB) / kLbaSize, 36'417'486'336 / 512);

    Effect effect;
    for (const TraceRecord& record : records_of(*file)) {
        for (const Span& part :
             mapped(*map, span(static_cast<std::uint64_t>(record.offset) / 512, record.size / 512))) {
            REQUIRE(part.end() <= (1_GiB) / kLbaSize);
            effect.add(part);
        }
    }

    CHECK(effect.partial_sector_writes == 2 * 682);
    CHECK(effect.sectors.size() <= 316);
}

}  // namespace
}  // namespace ftlab::workload
