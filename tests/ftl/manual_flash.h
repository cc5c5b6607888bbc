// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "ftl/ftl.h"
#include "tests/ftl/drive.h"

namespace ftlab::testing {

/// A flash that does nothing until it is told to; remembers what it was asked.
class ManualFlash final : public ftl::Executor {
public:
    explicit ManualFlash(ftl::Ftl& ftl) : ftl_{ftl} {}

    [[nodiscard]] bool room(ftl::Origin /*payer*/, nand::DieId /*die*/) const override { return has_room; }
    void issue(const ftl::FlashOp& op) override { queue.push_back(op); }
    void finished(CommandId command, ftl::Outcome /*outcome*/) override { ++finishes[command.value]; }

    [[nodiscard]] std::size_t count(ftl::OpKind kind, ftl::Origin payer) const {
        std::size_t n = 0;
        for (const ftl::FlashOp& op : queue) {
            n += op.kind == kind && op.payer == payer ? 1U : 0U;
        }
        return n;
    }
    [[nodiscard]] bool has_finished(std::uint32_t command) const { return finishes.count(command) != 0; }
    /// Ends the first operation of this kind.
    void end(ftl::OpKind kind) {
        for (std::size_t i = 0; i < queue.size(); ++i) {
            if (queue[i].kind == kind) {
                const ftl::OpId id = queue[i].id;
                queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
                ftl_.complete(id, ftl::Outcome::ok, *this);
                return;
            }
        }
        FAIL("no such operation is in flight");
    }
    void end_all() {
        while (!queue.empty()) {
            end(queue.front().kind);
        }
    }

    bool has_room = true;
    std::vector<ftl::FlashOp> queue;
    std::map<std::uint32_t, int> finishes;

private:
    ftl::Ftl& ftl_;
};

/// One die of two planes: units of 8 sectors, superblocks of 64.
inline Drive::Spec one_die(const std::string& ftl = "{write_buffer: {size: 128 KiB}}") {
    return {.geometry = geometry_of(1, 1, 2, 32, 8), .ftl = ftl};
}

inline std::uint64_t lbas_of(std::uint64_t sectors) { return sectors * kLbasPerSector; }

/// A write of whole sectors.
inline ftl::HostWrite sectors(std::uint64_t first, std::uint32_t count, std::uint32_t tag = 0) {
    return {.first = lbas_of(first), .count = count * kLbasPerSector, .tag = CommandId{tag}};
}

/// A drive over a flash that waits to be told; its invariants are checked at the end.
struct Bench : Drive {
    explicit Bench(const Spec& spec = one_die()) : Drive{spec}, flash{ftl} {}
    ~Bench() { ftl.check_invariants(); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void write(std::uint64_t first, std::uint32_t count) {
        REQUIRE(ftl.write(sectors(first, count), flash) == ftl::Admission::accepted);
    }
    void write_lbas(std::uint64_t first, std::uint32_t count) {
        REQUIRE(ftl.write({.first = first, .count = count, .tag = CommandId{0}}, flash) == ftl::Admission::accepted);
    }
    /// Brings sectors [first, first + count) to flash.
    void store(std::uint64_t first, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            write(first + i, 1);
            flash.end_all();
        }
        ftl.flush(CommandId{63}, flash);
        flash.end_all();
        REQUIRE(ftl.buffer().used() == 0);
    }

    ManualFlash flash;
};

}  // namespace ftlab::testing
