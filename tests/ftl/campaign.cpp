// SPDX-License-Identifier: MIT
#include "tests/ftl/campaign.h"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

namespace ftlab::testing {

using namespace literals;
using ftl::Origin;

Campaign::Campaign(const Spec& spec)
    : spec_{spec},
      random_{RandomStreams{spec.seed}.stream("campaign")},
      drive_{spec.drive},
      oracle_{drive_.ftl},
      flash_{drive_.ftl, spec.drive.geometry.dies(), spec.flash, RandomStreams{spec.seed}.stream("flash"), oracle_} {}

std::optional<CommandId> Campaign::free_tag() const {
    for (std::uint32_t i = 0; i < spec_.commands_at_once; ++i) {
        const bool writing =
            std::any_of(writes_.begin(), writes_.end(), [i](const Write& w) { return w.tag.value == i; });
        if (!writing && !oracle_.waiting(CommandId{i})) {
            return CommandId{i};
        }
    }
    return std::nullopt;
}

bool Campaign::flash_step() {
    const bool ended = flash_.step();
    oracle_.settle();
    continue_writes();
    return ended;
}

void Campaign::offer(Duration idle_for) {
    const std::uint32_t waiting = idle_for.count() > 0 ? 0 : oracle_.commands_waiting();
    drive_.ftl.offer({0_s, idle_for, waiting}, flash_);
    oracle_.settle();
}

void Campaign::begin_write(CommandId tag) {
    const std::uint64_t lbas = std::uint64_t{drive_.ftl.user_sectors()} * kLbasPerSector;
    const bool hot = spec_.hot_sectors > 0 && chance(0.5);
    const std::uint64_t span = hot ? std::uint64_t{spec_.hot_sectors} * kLbasPerSector : lbas;
    std::uint64_t first = random_.below(span);
    const std::uint64_t longest = std::uint64_t{spec_.most_sectors} * kLbasPerSector;
    std::uint64_t count =
        1 + random_.below(chance(0.7) ? std::min(std::uint64_t{2} * kLbasPerSector, longest) : longest);
    if (chance(spec_.whole_sectors)) {
        first -= first % kLbasPerSector;
        count = (count + kLbasPerSector - 1) / kLbasPerSector * kLbasPerSector;
    }
    writes_.push_back({first, std::min(first + count, lbas), chance(spec_.fua), tag});
    offer(0_s);
    continue_writes();
}

void Campaign::continue_writes() {
    ftl::Ftl& ftl = drive_.ftl;
    while (!writes_.empty()) {
        Write& w = writes_.front();
        // A burst of any length that always gets in at last, or whatever fits now.
        const std::uint32_t most = chance(0.5) ? ftl.burst() : std::max(ftl.room(), 1U);
        const std::uint64_t sectors = 1 + random_.below(most);
        const std::uint64_t end = std::min(w.end, (w.next / kLbasPerSector + sectors) * kLbasPerSector);
        const auto count = static_cast<std::uint32_t>(end - w.next);
        oracle_.before_write(w.next, count);
        const bool last = end == w.end;
        const ftl::Admission admission =
            ftl.write({.first = w.next, .count = count, .fua = w.fua, .last_of_command = last, .tag = w.tag}, flash_);
        if (admission != ftl::Admission::accepted) {
            oracle_.settle();
            return;
        }
        oracle_.wrote(w.next, count, w.fua, last, w.tag);
        w.next = end;
        if (last) {
            ++commands_done_;
            writes_.erase(writes_.begin());
        }
    }
}

void Campaign::any_command() {
    ftl::Ftl& ftl = drive_.ftl;
    const std::optional<CommandId> tag = free_tag();
    if (!tag.has_value()) {
        return;
    }
    const std::uint64_t lbas = std::uint64_t{ftl.user_sectors()} * kLbasPerSector;
    if (chance(spec_.idle)) {
        offer(chance(0.5) ? 100_s : 0_s);
    } else if (chance(spec_.secure_erases)) {
        come_to_rest();
        ftl.secure_erase();
        oracle_.erased_everything();
    } else if (chance(spec_.trims)) {
        const std::uint64_t first = random_.below(lbas);
        const std::uint64_t longest = chance(0.05) ? lbas : std::uint64_t{spec_.most_sectors} * kLbasPerSector * 2;
        const std::uint64_t count = 1 + random_.below(std::min(longest, lbas - first));
        oracle_.before_trim(first, count, *tag);
        ftl.trim(first, count, *tag, flash_);
        oracle_.settle();
        ++commands_done_;
    } else if (chance(spec_.flushes)) {
        oracle_.before_flush(*tag);
        ftl.flush(*tag, flash_);
        oracle_.settle();
        ++commands_done_;
    } else if (chance(0.3)) {
        const std::uint64_t first = random_.below(lbas);
        const std::uint64_t longest = std::uint64_t{spec_.most_sectors} * kLbasPerSector;
        const auto count = static_cast<std::uint32_t>(1 + random_.below(std::min(longest, lbas - first)));
        oracle_.before_read(first, count, *tag);
        ftl.read(first, count, *tag, flash_);
        oracle_.settle();
        ++commands_done_;
    } else {
        begin_write(*tag);
    }
}

void Campaign::come_to_rest() {
    while (oracle_.commands_waiting() > 0 || !writes_.empty() || flash_.in_flight() > 0) {
        if (!flash_step() && (oracle_.commands_waiting() > 0 || !writes_.empty())) {
            oracle_.fail("deadlock: commands wait and nothing is in flight");
        }
    }
    if (!drive_.ftl.drained()) {
        oracle_.fail("a drive without commands and operations is drained");
    }
}

void Campaign::flush_and_rest() {
    come_to_rest();
    oracle_.before_flush(CommandId{0});
    drive_.ftl.flush(CommandId{0}, flash_);
    oracle_.settle();
    come_to_rest();
    if (drive_.ftl.buffer().used() > 0) {
        oracle_.fail("a flushed drive at rest has nothing in its buffer");
    }
}

void Campaign::check_identities() const {
    const ftl::Counters& c = drive_.ftl.counters();
    const ftl::BlockPool& pool = drive_.ftl.pool();
    const auto agree = [this](std::uint64_t a, std::uint64_t b, const char* what) {
        if (a != b) {
            oracle_.fail(std::string{what} + ": " + std::to_string(a) + " and " + std::to_string(b));
        }
    };
    // theory.md, universal identities (i) to (iv).  GC copies that lost were programmed, or dropped before.
    agree(c.sectors_programmed.total(),
          c.sectors_programmed[Origin::host] + c.sectors_programmed[Origin::gc] + c.sectors_programmed[Origin::padding],
          "every programmed sector is the host's, a copy or padding");
    agree(pool.total_valid(), drive_.ftl.map().mapped(), "valid sectors are the mapped sectors");
    agree(c.programs.total() * pool.unit_sectors(), c.sectors_programmed.total(), "programs are whole units");
}

void Campaign::run(std::uint64_t steps, std::uint64_t check_every) {
    for (std::uint64_t i = 1; i <= steps; ++i) {
        // Busy and calm stretches in turn: full queues now, an empty one then.
        const double eagerness = (i / 512) % 3 == 0 ? 0.2 : (i / 512) % 3 == 1 ? 0.5 : 0.9;
        if (chance(eagerness)) {
            any_command();
        } else if (!flash_step() && (oracle_.commands_waiting() > 0 || !writes_.empty())) {
            oracle_.fail("deadlock: commands wait and nothing is in flight");
        }
        if (flash_.in_flight() == 0 && drive_.ftl.room() < drive_.ftl.burst()) {
            oracle_.fail("stalled: less room than a waiting write may need, and nothing is in flight");
        }
        drive_.ftl.check_identities();
        if (i % check_every == 0) {
            oracle_.check_all();
            drive_.ftl.check_invariants();
        }
    }
    flush_and_rest();
    oracle_.check_all();
    drive_.ftl.check_invariants();
    check_identities();
}

Campaign::Spec random_campaign(std::uint64_t seed) {
    Random draw = RandomStreams{seed}.stream("spec");
    const auto any_of = [&draw](const auto&... values) {
        const std::array<std::common_type_t<std::decay_t<decltype(values)>...>, sizeof...(values)> all{values...};
        return all[draw.below(all.size())];
    };
    Campaign::Spec spec;
    spec.seed = spec.drive.seed = seed;
    nand::Geometry& g = spec.drive.geometry;
    g = any_of(geometry_of(1, 1, 1, 16, 4), geometry_of(1, 1, 1, 20, 16), geometry_of(3, 2, 1, 16, 8),
               geometry_of(2, 1, 2, 24, 8), geometry_of(8, 4, 2, 10, 4), geometry_of(1, 1, 4, 12, 4),
               geometry_of(2, 3, 3, 12, 6), geometry_of(1, 2, 1, 40, 8));
    if (draw.below(3) == 0) {
        g.factory_bad = Ratio{0.12};
        g.blocks_per_plane += g.blocks_per_plane / 5 + 1;
    }
    const std::uint32_t unit = g.sectors_per_unit();
    const std::uint32_t slots = any_of(unit, unit, unit + 1, 2 * unit, 4 * unit + 3, 16 * unit);
    const std::string victim = any_of("greedy", "fifo", "random", "{d_choices: {d: 2}}", "{d_choices: {d: 10}}");
    const std::string trigger =
        any_of("threshold", "{threshold: {start: 4, stop: 6}}", "{threshold: {start: 1, stop: 1}}", "lazy",
               "{lazy: {start_after_used: 4, mark_min: 3, mark_max: 6, max_moves: 1.5, idle_surplus: 2, "
               "idle_least_gain: 0%}}",
               "{lazy: {start_after_used: 2, mark_min: 1, mark_max: 9, max_moves: 0, idle_surplus: 1, "
               "idle_least_gain: 40%}}");
    spec.drive.ftl = "{write_buffer: {size: " + std::to_string(4 * slots) + " KiB}, gc: {victim: " + victim +
                     ", trigger: " + trigger + ", reserve: " + any_of("2", "2", "3") +
                     ", debt_limit: " + any_of("1", "5", "32", "256", "4000") +
                     ", collector: {copy: " + any_of("pipelined", "stripe") +
                     ", window: " + any_of("1", "4", "9", "64", "2048") + "}}}";
    spec.flash.order = any_of(Order::issue, Order::random, Order::random, Order::late_reads, Order::slow_die);
    spec.flash.programs_per_die = any_of(1U, 2U, 3U, 8U);
    spec.hot_sectors = any_of(0U, 5U, 30U, 100U);
    spec.whole_sectors = any_of(0.0, 0.3, 0.9, 1.0);
    spec.trims = any_of(0.0, 0.02, 0.1);
    spec.flushes = any_of(0.0, 0.02, 0.2);
    spec.fua = any_of(0.0, 0.05, 0.4);
    spec.idle = any_of(0.0, 0.01, 0.05);
    spec.secure_erases = any_of(0.0, 0.0, 0.0005);
    spec.most_sectors = any_of(3U, 40U, 200U);
    spec.commands_at_once = any_of(1U, 4U, 32U);
    return spec;
}

}  // namespace ftlab::testing
