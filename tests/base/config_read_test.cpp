// SPDX-License-Identifier: MIT
// From declared structs to values, messages and back.
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/config.h"
#include "sim/base/json.h"
#include "sim/base/random.h"

using namespace ftlab;
using namespace ftlab::literals;

namespace {

enum class PageOrder { paired, sequential };

struct BusParams {
    Bandwidth rate{200'000'000};
    Duration cycle = 30_ns;
    std::uint32_t address_cycles = 5;

    static void describe(config::Fields<BusParams>& f) {
        f("rate", &BusParams::rate, "transfer rate of the channel").positive();
        f("cycle", &BusParams::cycle, "one command or address cycle").at_least(1_ns);
        f("address_cycles", &BusParams::address_cycles, "address cycles of an operation").range(1, 8);
    }
};

struct DriveParams {
    std::string model;
    Bytes capacity{};
    Ratio low{0.02};
    Ratio high{0.05};
    BusParams bus;
    std::optional<BusParams> second_bus;
    std::optional<Time> idle;
    std::vector<Bytes> spans{4_KiB};
    std::vector<BusParams> more;
    PageOrder order = PageOrder::paired;
    bool enabled = true;
    double skew = 1.5;
    std::int8_t offset = -3;
    std::uint64_t seed = 1;
    std::uint32_t planes = 2;

    static void describe(config::Fields<DriveParams>& f) {
        f("model", &DriveParams::model, "name of the drive").required().non_empty();
        f("capacity", &DriveParams::capacity, "bytes of the host").required().positive();
        f("low", &DriveParams::low, "low mark").range({0}, {1});
        f("high", &DriveParams::high, "high mark").less_than({1});
        f("bus", &DriveParams::bus, "the flash bus");
        f("second_bus", &DriveParams::second_bus, "another one");
        f("idle", &DriveParams::idle, "idle time before GC").positive();
        f("spans", &DriveParams::spans, "spans in use").at_most(1_GiB).non_empty();
        f("more", &DriveParams::more, "more buses");
        f("order", &DriveParams::order, "order of programming");
        f("enabled", &DriveParams::enabled, "on or off");
        f("skew", &DriveParams::skew, "exponent");
        f("offset", &DriveParams::offset, "a signed number");
        f("seed", &DriveParams::seed, "of all random streams");
        f("planes", &DriveParams::planes, "planes of a die").one_of({1, 2, 4});
        f.check([](const DriveParams& p) -> std::optional<config::Complaint> {
            if (p.low < p.high) {
                return std::nullopt;
            }
            return config::Complaint{{"low", "high"}, "must be below high"};
        });
        f.check([](const DriveParams& p) -> std::optional<config::Complaint> {
            if (p.capacity >= 1_MiB || p.bus.rate <= Bandwidth{1'000'000'000}) {
                return std::nullopt;
            }
            return config::Complaint{{"capacity", "bus.rate"}, "is too small for such a bus"};
        });
    }
};

template <class P = DriveParams>
std::string problems_of(std::string_view yaml, const std::vector<std::string>& overrides = {}) {
    try {
        static_cast<void>(config::load_text<P>(yaml, {}, "d.yaml", overrides));
    } catch (const config::Error& error) {
        return error.what();
    }
    return "";
}

DriveParams read(std::string_view yaml) { return config::load_text<DriveParams>(yaml); }

constexpr std::string_view kLeast = "model: M5M\ncapacity: 256 GB\n";

std::string least_and(std::string_view yaml) { return std::string{kLeast} + std::string{yaml}; }

}  // namespace

template <>
struct ftlab::config::EnumNames<PageOrder> {
    static constexpr EnumName<PageOrder> kNames[] = {{PageOrder::paired, "paired"},
                                                     {PageOrder::sequential, "sequential"}};
};

TEST_CASE("what is not written keeps its default") {
    const DriveParams drive = read(kLeast);

    CHECK(drive.model == "M5M");
    CHECK(drive.capacity == Bytes{256'000'000'000});
    CHECK(drive.low == Ratio{0.02});
    CHECK(drive.bus.cycle == 30_ns);
    CHECK_FALSE(drive.second_bus.has_value());
    CHECK(drive.spans == std::vector{4_KiB});
    CHECK(drive.order == PageOrder::paired);
}

TEST_CASE("every type of field is read") {
    const DriveParams drive = read(
        "model: 512\ncapacity: 1.5 GiB\nlow: 3%\nhigh: '4%'\nbus: {rate: 1 GiB/s}\nsecond_bus: {cycle: 25 ns}\n"
        "idle: 10 ms\nspans: [1 MiB, 16 kB]\nmore: [{}, {address_cycles: 8}]\norder: sequential\nenabled: false\n"
        "skew: -0.5e1\noffset: -128\nseed: 18446744073709551615\nplanes: 4\n");

    CHECK(drive.model == "512");
    CHECK(drive.capacity == 1536_MiB);
    CHECK(drive.high == Ratio{0.04});
    CHECK(drive.bus.rate == Bandwidth{1'073'741'824});
    CHECK(drive.bus.cycle == 30_ns);
    CHECK(drive.second_bus->cycle == 25_ns);
    CHECK(drive.second_bus->address_cycles == 5);
    CHECK(drive.idle == 10_ms);
    CHECK(drive.spans == std::vector{1_MiB, Bytes{16'000}});
    REQUIRE(drive.more.size() == 2);
    CHECK(drive.more[1].address_cycles == 8);
    CHECK(drive.order == PageOrder::sequential);
    CHECK_FALSE(drive.enabled);
    CHECK(drive.skew == -5);
    CHECK(drive.offset == -128);
    CHECK(drive.seed == std::numeric_limits<std::uint64_t>::max());
    CHECK(drive.planes == 4);
}

TEST_CASE("an optional field is unset by ~") {
    CHECK(problems_of(least_and("idle: ~\n")).empty());
    CHECK_FALSE(read(least_and("idle: ~\nsecond_bus: null\n")).second_bus.has_value());
}

TEST_CASE("all problems of a file are reported at once, in the order of the text") {
    CHECK(problems_of("modle: x\ncapacity: 16\nlow: 5\nhigh: 100%\nbus:\n  rtae: 5\n  rate: 0 B/s\n  cycle: 5 MB\n"
                      "  address_cycles: 9\nidle: 0.3 ps\nspans: [2 GiB, 1 ms]\nmore: [{cycle: soon}, 7]\n"
                      "order: pared\nenabled: yes\nskew: .nan\noffset: 128\nseed: -1\nplanes: 3\n") ==
          "d.yaml:1:1: modle: unknown key; did you mean \"model\"?\n"
          "d.yaml:1:1: model: is missing; write it (text, not empty)\n"
          "d.yaml:2:11: capacity: \"16\" has no unit; write \"16 KiB\" (units: B, kB, KiB, MB, MiB, GB, GiB, TB, TiB)\n"
          "d.yaml:3:6: low: \"5\" has no percent sign; write \"5%\"\n"
          "d.yaml:4:7: high: \"100%\" is out of range; write less than 100%\n"
          "d.yaml:6:3: bus.rtae: unknown key; did you mean \"rate\"?\n"
          "d.yaml:7:9: bus.rate: \"0 B/s\" is out of range; write more than 0 B/s\n"
          "d.yaml:8:10: bus.cycle: \"5 MB\" is a size, but a time is wanted; write it like \"25 us\"\n"
          "d.yaml:9:19: bus.address_cycles: \"9\" is out of range; write 1 to 8\n"
          "d.yaml:10:7: idle: \"0.3 ps\" is not a whole number of picoseconds; write a multiple of 1 ps\n"
          "d.yaml:11:9: spans[0]: \"2 GiB\" is out of range; write at most 1 GiB\n"
          "d.yaml:11:16: spans[1]: \"1 ms\" is a time, but a size is wanted; write it like \"16 KiB\"\n"
          "d.yaml:12:16: more[0].cycle: \"soon\" is not a time; write it like \"25 us\"\n"
          "d.yaml:12:23: more[1]: \"7\" is not a map of keys; write it like {rate: ...}\n"
          "d.yaml:13:8: order: \"pared\" is unknown; did you mean \"paired\"?\n"
          "d.yaml:14:10: enabled: \"yes\" is neither true nor false; write true or false\n"
          "d.yaml:15:7: skew: \".nan\" is not a number; write it like \"0.5\"\n"
          "d.yaml:16:9: offset: \"128\" is out of range; write -128 to 127\n"
          "d.yaml:17:7: seed: \"-1\" is negative; write a number from 0 to 18446744073709551615\n"
          "d.yaml:18:9: planes: \"3\" is not allowed here; write one of 1, 2, 4");
}

TEST_CASE("problems of the text and of its meaning are reported together") {
    CHECK(problems_of(least_and("low: 1%\nlow: 2%\nplanes: 3\n")) ==
          "d.yaml:4:1: low: is given twice; remove it here or at d.yaml:3:1\n"
          "d.yaml:5:9: planes: \"3\" is not allowed here; write one of 1, 2, 4");
}

TEST_CASE("a file that is no YAML reports only that") {
    CHECK(problems_of("model: [\n") ==
          "d.yaml:1:8: this [ is never closed, or a comma is missing after it; write [value, value]");
}

TEST_CASE("a key without a value says what is wanted") {
    CHECK(problems_of(least_and("low:\nbus:\nspans:\nmore: [, {}]\nenabled: ~\n")) ==
          "d.yaml:3:1: low: has no value; wanted: percentage\n"
          "d.yaml:4:1: bus: has no value; write {} to keep the defaults, or remove the key\n"
          "d.yaml:5:1: spans: has no value; write it like \"[first, second]\"\n"
          "d.yaml:6:7: more[0]: has no value; write {} to keep the defaults, or remove the key\n"
          "d.yaml:7:1: enabled: has no value; wanted: true or false");
}

TEST_CASE("a value of another shape says what is wanted") {
    CHECK(problems_of("model: [a]\ncapacity: {a: 1}\nbus: [1]\nspans: 4 KiB\nmore: {}\nsecond_bus: 5\n") ==
          "d.yaml:1:8: model: is a list, but a single value is wanted: text\n"
          "d.yaml:2:11: capacity: is a map, but a single value is wanted: size\n"
          "d.yaml:3:6: bus: is a list, not a map of keys; write it like {rate: ...}\n"
          "d.yaml:4:8: spans: \"4 KiB\" is not a list; write it like \"[first, second]\"\n"
          "d.yaml:5:7: more: is a map, but a list is wanted; write it like \"[first, second]\"\n"
          "d.yaml:6:13: second_bus: \"5\" is not a map of keys; write it like {rate: ...}");
    CHECK(problems_of("- 1\n") == "d.yaml:1:1: is a list, not a map of keys; write it like {model: ...}");
    CHECK(problems_of("model\n") == "d.yaml:1:1: \"model\" is not a map of keys; write it like {model: ...}");
}

TEST_CASE("an empty text or list is refused where something is needed") {
    CHECK(problems_of("model: \"\"\ncapacity: 1 GB\nspans: []\n") ==
          "d.yaml:1:8: model: \"\" is empty; write at least one character\n"
          "d.yaml:3:8: spans: is empty; write at least one item");
}

TEST_CASE("a rule between fields names both, their values and where those come from") {
    CHECK(problems_of(least_and("high: 1%\n")) ==
          "d.yaml:3:7: high: must be below high (low is 2% by default, high is 1% at d.yaml:3:7)");
    CHECK(problems_of(least_and("low: 9%\nhigh: 6%\n")) ==
          "d.yaml:3:6: low: must be below high (low is 9% at d.yaml:3:6, high is 6% at d.yaml:4:7)");
    CHECK(problems_of("model: x\ncapacity: 1 KiB\nbus: {rate: 2 GB/s}\n") ==
          "d.yaml:2:11: capacity: is too small for such a bus (capacity is 1 KiB at d.yaml:2:11, bus.rate is 2 GB/s at "
          "d.yaml:3:13)");
}

TEST_CASE("a rule about keys that nobody wrote says so") {
    struct Expect {
        std::optional<double> min;
        std::optional<Time> within;
        std::uint32_t count = 3;
        static void describe(config::Fields<Expect>& f) {
            f("min", &Expect::min, "");
            f("within", &Expect::within, "");
            f("count", &Expect::count, "");
            f.check([](const Expect& p) -> std::optional<config::Complaint> {
                return p.min || p.within
                           ? std::nullopt
                           : std::optional{config::Complaint{{"min", "within", "count"}, "say too little"}};
            });
        }
    };

    CHECK(problems_of<Expect>("{}") ==
          "d.yaml:1:1: min: say too little (min is not written, within is not written, count is 3 by default)");
    CHECK(problems_of<Expect>("min: ~") ==
          "d.yaml:1:1: min: say too little (min is ~ at d.yaml:1:1, within is not written, count is 3 by default)");
}

TEST_CASE("all broken rules are reported, but none over fields that are wrong themselves") {
    CHECK(problems_of("model: x\ncapacity: 1 KiB\nbus: {rate: 2 GB/s}\nlow: 9%\n") ==
          "d.yaml:2:11: capacity: is too small for such a bus (capacity is 1 KiB at d.yaml:2:11, bus.rate is 2 GB/s at "
          "d.yaml:3:13)\n"
          "d.yaml:4:6: low: must be below high (low is 9% at d.yaml:4:6, high is 5% by default)");
    CHECK(problems_of(least_and("low: 9%\nplanes: 3\n")) ==
          "d.yaml:4:9: planes: \"3\" is not allowed here; write one of 1, 2, 4");
}

TEST_CASE("an unknown key far from every other lists the keys there are") {
    CHECK(problems_of(least_and("bus: {q: 1}\n")) ==
          "d.yaml:3:7: bus.q: unknown key; write one of: rate, cycle, address_cycles");
}

TEST_CASE("a key that is no name cannot break the message") {
    CHECK(problems_of(least_and("\"a\\nb.c\": 1\n")).find("d.yaml:3:1: \"a\\nb.c\": unknown key; ") == 0);
}

TEST_CASE("problems of overrides point at the option") {
    CHECK(problems_of(kLeast, {"bus.rtae=5", "planes=3", "bus.cycle=25 ns", "low=50%"}) ==
          "--set:1:5: bus.rtae: unknown key; did you mean \"rate\"?\n"
          "--set:2:8: planes: \"3\" is not allowed here; write one of 1, 2, 4");
    CHECK(problems_of(kLeast, {"low=50%"}) ==
          "--set:1:5: low: must be below high (low is 50% at --set:1:5, high is 5% by default)");
    CHECK(problems_of("model: x\n", {"capacity=1 GB"}).empty());
}

TEST_CASE("hundreds of problems are counted, not listed") {
    std::string yaml{kLeast};
    for (int i = 0; i < 1000; ++i) {
        yaml += "k" + std::to_string(i) + ": 1\n";
    }

    const std::string message = problems_of(yaml);

    CHECK(std::count(message.begin(), message.end(), '\n') == 200);
    CHECK(message.ends_with("... and 800 more problems"));
}

TEST_CASE("a default outside its own range has to be written") {
    struct Odd {
        Duration wait{};
        std::vector<double> shares;
        static void describe(config::Fields<Odd>& f) {
            f("wait", &Odd::wait, "").positive();
            f("shares", &Odd::shares, "").range(0, 1).non_empty();
        }
    };

    CHECK(problems_of<Odd>("{}") ==
          "d.yaml:1:1: wait: is missing; write it (time, more than 0 s)\n"
          "d.yaml:1:1: shares: is missing; write it (list of number, not empty)");
    CHECK(problems_of<Odd>("{wait: 1 s, shares: [0.5]}").empty());
}

TEST_CASE("fields of a base struct can be declared by the derived one") {
    struct Base {
        std::uint32_t shared = 1;
    };
    struct Derived : Base {
        std::uint32_t own = 2;
        static void describe(config::Fields<Derived>& f) {
            f("shared", &Derived::shared, "");
            f("own", &Derived::own, "");
        }
    };

    const auto read = config::load_text<Derived>("{shared: 5, own: 6}");

    CHECK(read.shared == 5);
    CHECK(read.own == 6);
}

TEST_CASE("a path can be put in front when a part of a tree is read") {
    std::vector<config::Problem> problems;
    const auto node = config::parse_yaml("rate: 5", "d.yaml", problems);

    static_cast<void>(config::read<BusParams>(*node, problems, {.catalog = nullptr, .path = "nand.bus"}));

    REQUIRE(problems.size() == 1);
    CHECK(problems[0].path == "nand.bus.rate");
}

TEST_CASE("the effective configuration holds every key in the user's units") {
    const auto json = config::effective(read(least_and("idle: 1500 us\n")));

    CHECK(to_yaml_line(json) ==
          "{model: M5M, capacity: 256 GB, low: 2%, high: 5%, bus: {rate: 200 MB/s, cycle: 30 ns, address_cycles: 5}, "
          "second_bus: ~, idle: 1.5 ms, spans: [4 KiB], more: [], order: paired, enabled: true, skew: 1.5, offset: -3, "
          "seed: 1, planes: 2}");
}

TEST_CASE("reading the effective configuration again gives the same configuration") {
    Random random{3};
    for (int i = 0; i < 500; ++i) {
        DriveParams drive;
        drive.model = std::string{"a: #'\"\\{~\n \u00e9"}.substr(random.below(5), 1 + random.below(6));
        drive.capacity = Bytes{1 + (random.next() >> random.below(40))};
        drive.low = Ratio{random.uniform() * 0.1};
        drive.high = Ratio{0.1 + random.uniform() * 0.9};
        drive.bus.rate = Bandwidth{1 + random.below(1'000'000'000)};
        drive.bus.cycle = Time{1000 + static_cast<std::int64_t>(random.below(1'000'000'000))};
        if (random.below(2) == 1) {
            drive.second_bus = BusParams{};
            drive.idle = Time{1 + static_cast<std::int64_t>(random.next() >> random.below(60) >> 1U)};
        }
        drive.more.resize(random.below(3));
        drive.order = random.below(2) == 1 ? PageOrder::paired : PageOrder::sequential;
        drive.skew = random.uniform() * 1e6 - 5e5;
        drive.offset = static_cast<std::int8_t>(static_cast<int>(random.below(256)) - 128);
        drive.seed = random.next();

        const auto json = config::effective(drive);
        const auto from_json = config::effective(read(to_text(json)));
        const auto from_line = config::effective(read(to_yaml_line(json)));

        CAPTURE(to_text(json), to_yaml_line(json));
        REQUIRE(from_json == json);
        REQUIRE(from_line == json);
    }
}

TEST_CASE("a tree of any shape is read or refused, never worse") {
    static constexpr std::string_view kKeys[] = {"model", "capacity", "low",     "bus",    "second_bus",
                                                 "idle",  "spans",    "more",    "order",  "rate",
                                                 "cycle", "planes",   "\"x y\"", "extends"};
    static constexpr std::string_view kValues[] = {"1",
                                                   "5 us",
                                                   "16 KiB",
                                                   "7%",
                                                   "~",
                                                   "\"\"",
                                                   "paired",
                                                   "-1",
                                                   "1e99",
                                                   "[]",
                                                   "{}",
                                                   "true",
                                                   "99999999999999999999 GB",
                                                   ".inf"};
    Random random{11};
    const auto pick = [&random](const auto& from) { return std::string{from[random.below(std::size(from))]}; };
    const auto any = [&](const auto& self, int depth) -> std::string {
        const std::uint64_t kind = random.below(depth > 3 ? 2 : 6);
        if (kind < 3) {
            return pick(kValues);
        }
        std::string all;
        for (std::uint64_t n = random.below(5); n > 0; --n) {
            all += (all.empty() ? "" : ", ") + (kind == 3 ? "" : pick(kKeys) + ": ") + self(self, depth + 1);
        }
        return kind == 3 ? "[" + all + "]" : "{" + all + "}";
    };

    for (int i = 0; i < 5'000; ++i) {
        const std::string yaml = any(any, 0);
        CAPTURE(yaml);
        const std::string message = problems_of(yaml);
        REQUIRE((message.empty() || message.find(":") != std::string::npos));
    }
}
