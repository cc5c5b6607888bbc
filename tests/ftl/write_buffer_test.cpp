// SPDX-License-Identifier: MIT
#include "ftl/write_buffer.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/random.h"
#include "tests/support/aborts.h"

using namespace ftlab;
using namespace ftlab::ftl;
using ftlab::testing::abort_message;

namespace {

constexpr SectorMask kFirstHalf = 0x0f;
constexpr SectorMask kLastHalf = 0xf0;

}  // namespace

TEST_CASE("a second write to a sector that waits takes no second slot") {
    WriteBuffer buffer{4};
    const WriteBuffer::Put first = buffer.put(7, kFirstHalf);

    const WriteBuffer::Put second = buffer.put(7, kLastHalf);

    CHECK_FALSE(first.coalesced);
    CHECK(second.coalesced);
    CHECK(second.slot == first.slot);
    CHECK(buffer.free() == 3);
    CHECK(buffer.dirty() == 1);
    CHECK(buffer.whole(first.slot));
}

TEST_CASE("part of a sector does not make a whole one") {
    WriteBuffer buffer{4};

    const SlotId slot = buffer.put(7, kFirstHalf).slot;

    CHECK_FALSE(buffer.whole(slot));
    CHECK(buffer.find(7) == slot);
    CHECK_FALSE(buffer.find(8).valid());
}

TEST_CASE("data in flight never changes: a rewrite takes a new slot and completes itself from the old one") {
    WriteBuffer buffer{4};
    const SlotId old = buffer.put(7, kWholeSector).slot;
    buffer.start_program(buffer.pop_dirty());

    const WriteBuffer::Put rewrite = buffer.put(7, kFirstHalf);

    CHECK(rewrite.slot != old);
    CHECK_FALSE(rewrite.coalesced);
    CHECK(rewrite.merged);
    CHECK(buffer.whole(rewrite.slot));
    CHECK_FALSE(buffer.is_newest(old));
    CHECK(buffer.find(7) == rewrite.slot);
    buffer.check_invariants();
}

TEST_CASE("dirty sectors leave in the order in which they came") {
    WriteBuffer buffer{4};
    buffer.put(3, kWholeSector);
    buffer.put(1, kWholeSector);
    buffer.put(2, kWholeSector);
    buffer.put(3, kWholeSector);  // coalesces: keeps its place

    std::vector<std::uint32_t> order;
    while (buffer.dirty() > 0) {
        order.push_back(buffer.lpn(buffer.pop_dirty()));
    }

    CHECK(order == std::vector<std::uint32_t>{3, 1, 2});
}

TEST_CASE("a sector completed by a read goes to the head of the queue") {
    WriteBuffer buffer{4};
    buffer.put(5, kFirstHalf);
    buffer.put(6, kWholeSector);
    const SlotId partial = buffer.pop_dirty();
    buffer.start_read(partial);
    CHECK(buffer.reading() == 1);

    CHECK(buffer.requeue_whole(partial));

    CHECK(buffer.reading() == 0);
    CHECK(buffer.whole(partial));
    CHECK(buffer.lpn(buffer.pop_dirty()) == 5);
    CHECK(buffer.lpn(buffer.pop_dirty()) == 6);
}

TEST_CASE("a write to a sector that waits for its read joins it") {
    WriteBuffer buffer{4};
    const SlotId partial = buffer.put(5, kFirstHalf).slot;
    buffer.start_read(buffer.pop_dirty());

    CHECK(buffer.put(5, kLastHalf).coalesced);

    CHECK(buffer.whole(partial));
    CHECK(buffer.find(5) == partial);
}

TEST_CASE("a dropped sector that waited is handed back, one under way is only forgotten") {
    WriteBuffer buffer{4};
    const SlotId waiting = buffer.put(1, kWholeSector).slot;
    const SlotId reading = buffer.put(2, kFirstHalf).slot;
    buffer.pop_dirty();
    buffer.start_program(waiting);
    buffer.pop_dirty();
    buffer.start_read(reading);
    const SlotId dirty = buffer.put(3, kWholeSector).slot;

    CHECK(buffer.drop(3).release == dirty);
    CHECK_FALSE(buffer.drop(1).release.valid());
    CHECK(buffer.drop(2).found == true);
    CHECK_FALSE(buffer.drop(4).found);

    for (const std::uint32_t lpn : {1U, 2U, 3U, 4U}) {
        CHECK_FALSE(buffer.find(lpn).valid());
    }
    CHECK(buffer.dirty() == 0);
    CHECK_FALSE(buffer.requeue_whole(reading));
    buffer.release(dirty);
    buffer.release(reading);
    buffer.release(waiting);
    CHECK(buffer.free() == 4);
    buffer.check_invariants();
}

TEST_CASE("an epoch is done when the last slot of it and of every earlier one is free") {
    WriteBuffer buffer{4};
    const SlotId first = buffer.put(1, kWholeSector).slot;
    const std::uint32_t one = buffer.close_epoch();
    const SlotId second = buffer.put(2, kWholeSector).slot;
    const std::uint32_t two = buffer.close_epoch();
    for (const SlotId slot : {first, second}) {
        buffer.pop_dirty();
        buffer.start_program(slot);
        buffer.retire(slot);
    }

    buffer.release(second);

    CHECK_FALSE(buffer.epoch_done(one));
    CHECK_FALSE(buffer.epoch_done(two));

    buffer.release(first);

    CHECK(buffer.epoch_done(one));
    CHECK(buffer.epoch_done(two));
    CHECK(buffer.epoch_done(buffer.close_epoch()));  // nothing was stored since
}

TEST_CASE("a write that coalesces into a flushed sector is waited for by that flush") {
    WriteBuffer buffer{4};
    buffer.put(1, kWholeSector);
    const std::uint32_t flushed = buffer.close_epoch();

    CHECK(buffer.put(1, kFirstHalf).coalesced);

    CHECK_FALSE(buffer.epoch_done(flushed));
    CHECK(buffer.flush_waits());
    const std::uint32_t next = buffer.close_epoch();
    const SlotId slot = buffer.pop_dirty();
    buffer.start_program(slot);
    CHECK_FALSE(buffer.flush_waits());
    buffer.retire(slot);
    buffer.release(slot);
    CHECK(buffer.epoch_done(next));
}

TEST_CASE("only what was stored before a flush waits for it") {
    WriteBuffer buffer{4};
    buffer.put(1, kWholeSector);
    CHECK_FALSE(buffer.flush_waits());

    buffer.close_epoch();
    buffer.put(2, kWholeSector);

    CHECK(buffer.flush_waits());
    buffer.start_program(buffer.pop_dirty());
    CHECK_FALSE(buffer.flush_waits());
    CHECK(buffer.dirty() == 1);
}

TEST_CASE("commands wait for the slot that holds their data, and only until its program begins do they press") {
    WriteBuffer buffer{4};
    const SlotId slot = buffer.put(1, kWholeSector).slot;
    buffer.add_waiter(slot, CommandId{10});
    buffer.add_waiter(slot, CommandId{11});
    CHECK(buffer.has_waiters());

    buffer.start_program(buffer.pop_dirty());

    CHECK_FALSE(buffer.has_waiters());
    std::set<std::uint32_t> commands{buffer.pop_waiter(slot).value, buffer.pop_waiter(slot).value};
    CHECK(commands == std::set<std::uint32_t>{10, 11});
    CHECK_FALSE(buffer.pop_waiter(slot).valid());
}

TEST_CASE("a slot is not released while it is the newest copy or somebody waits for it") {
    CHECK_THAT(abort_message([] {
                   WriteBuffer buffer{2};
                   buffer.put(1, kWholeSector);
                   buffer.release(buffer.pop_dirty());
               }),
               Catch::Contains("nobody needs it"));
    CHECK_THAT(abort_message([] {
                   WriteBuffer buffer{2};
                   const SlotId slot = buffer.put(1, kWholeSector).slot;
                   buffer.add_waiter(slot, CommandId{1});
                   buffer.start_program(buffer.pop_dirty());
                   buffer.retire(slot);
                   buffer.release(slot);
               }),
               Catch::Contains("nobody needs it"));
    CHECK_THAT(abort_message([] {
                   WriteBuffer buffer{1};
                   buffer.put(1, kWholeSector);
                   buffer.put(2, kWholeSector);
               }),
               Catch::Contains("free slot"));
}

namespace {

/// The write buffer as its contract reads, with plain containers.
struct Model {
    enum class State : std::uint8_t { dirty, reading, in_flight };
    struct Slot {
        std::uint32_t lpn;
        SectorMask mask;
        State state;
        bool newest;
        std::uint32_t epoch;
        std::multiset<std::uint32_t> waiters;
    };
    std::map<std::uint32_t, Slot> slots;  // by slot number
    std::deque<std::uint32_t> queue;
    std::uint32_t epoch = 0;

    std::uint32_t find(std::uint32_t lpn) const {
        const auto at = std::find_if(slots.begin(), slots.end(),
                                     [lpn](const auto& s) { return s.second.newest && s.second.lpn == lpn; });
        return at == slots.end() ? SlotId::kInvalid : at->first;
    }
    std::uint32_t any(State state, Random& draw) const {
        std::vector<std::uint32_t> all;
        for (const auto& [slot, s] : slots) {
            if (s.state == state) {
                all.push_back(slot);
            }
        }
        return all.empty() ? SlotId::kInvalid : all[draw.below(all.size())];
    }
    bool epoch_done(std::uint32_t e) const {
        return std::none_of(slots.begin(), slots.end(), [e](const auto& s) { return s.second.epoch <= e; });
    }
    bool flush_waits() const {
        return std::any_of(slots.begin(), slots.end(), [this](const auto& s) {
            return s.second.epoch < epoch && s.second.state != State::in_flight;
        });
    }
    bool has_waiters() const {
        return std::any_of(slots.begin(), slots.end(), [](const auto& s) {
            return s.second.state != State::in_flight && !s.second.waiters.empty();
        });
    }
};

void release(WriteBuffer& buffer, Model& model, std::uint32_t slot) {
    Model::Slot& mine = model.slots.at(slot);
    for (CommandId c = buffer.pop_waiter(SlotId{slot}); c.valid(); c = buffer.pop_waiter(SlotId{slot})) {
        REQUIRE(mine.waiters.erase(c.value) > 0);
    }
    REQUIRE(mine.waiters.empty());
    buffer.release(SlotId{slot});
    model.slots.erase(slot);
}

void random_step(WriteBuffer& buffer, Model& model, Random& draw, std::uint32_t lpns, std::uint32_t step) {
    const auto lpn = static_cast<std::uint32_t>(draw.below(lpns)) * 0x1000193U;  // spread, and still few
    switch (draw.below(12)) {
        case 0:
        case 1:
        case 2:
        case 3: {  // write
            const auto mask = static_cast<SectorMask>(draw.below(3) == 0 ? 1 + draw.below(255) : kWholeSector);
            const std::uint32_t old = model.find(lpn);
            const bool in_flight = SlotId{old}.valid() && model.slots[old].state == Model::State::in_flight;
            if (buffer.free() == 0 && (!SlotId{old}.valid() || in_flight)) {
                return;
            }
            const WriteBuffer::Put put = buffer.put(lpn, mask);
            if (SlotId{old}.valid() && !in_flight) {
                REQUIRE((put.coalesced && put.slot.value == old));
                model.slots[old].mask |= mask;
            } else {
                REQUIRE((!put.coalesced && model.slots.count(put.slot.value) == 0));
                REQUIRE(put.merged == (in_flight && mask != kWholeSector));
                if (in_flight) {
                    model.slots[old].newest = false;
                }
                model.slots[put.slot.value] = {
                    lpn, in_flight ? kWholeSector : mask, Model::State::dirty, true, model.epoch, {}};
                model.queue.push_back(put.slot.value);
            }
            if (draw.below(4) == 0) {
                buffer.add_waiter(put.slot, CommandId{step});
                model.slots[put.slot.value].waiters.insert(step);
            }
            return;
        }
        case 4:
        case 5:
        case 6: {  // the oldest goes on its way
            if (model.queue.empty()) {
                return;
            }
            const SlotId slot = buffer.pop_dirty();
            REQUIRE(slot.value == model.queue.front());
            model.queue.pop_front();
            Model::Slot& mine = model.slots.at(slot.value);
            REQUIRE(buffer.lpn(slot) == mine.lpn);
            if (mine.mask == kWholeSector) {
                buffer.start_program(slot);
                mine.state = Model::State::in_flight;
            } else {
                buffer.start_read(slot);
                mine.state = Model::State::reading;
            }
            return;
        }
        case 7: {  // a read ends
            const std::uint32_t slot = model.any(Model::State::reading, draw);
            if (!SlotId{slot}.valid()) {
                return;
            }
            Model::Slot& mine = model.slots.at(slot);
            REQUIRE(buffer.requeue_whole(SlotId{slot}) == mine.newest);
            if (mine.newest) {
                mine.mask = kWholeSector;
                mine.state = Model::State::dirty;
                model.queue.push_front(slot);
            } else {
                release(buffer, model, slot);
            }
            return;
        }
        case 8:
        case 9: {  // a program ends
            const std::uint32_t slot = model.any(Model::State::in_flight, draw);
            if (SlotId{slot}.valid()) {
                buffer.retire(SlotId{slot});
                release(buffer, model, slot);
            }
            return;
        }
        case 10: {  // TRIM
            const std::uint32_t slot = model.find(lpn);
            const WriteBuffer::Drop drop = buffer.drop(lpn);
            REQUIRE(drop.found == SlotId{slot}.valid());
            if (!drop.found) {
                return;
            }
            Model::Slot& mine = model.slots.at(slot);
            mine.newest = false;
            REQUIRE(drop.release.valid() == (mine.state == Model::State::dirty));
            if (drop.release.valid()) {
                REQUIRE(drop.release.value == slot);
                model.queue.erase(std::find(model.queue.begin(), model.queue.end(), slot));
                release(buffer, model, slot);
            }
            return;
        }
        default:
            if (draw.below(4) == 0) {
                REQUIRE(buffer.close_epoch() == model.epoch);
                ++model.epoch;
            }
            return;
    }
}

}  // namespace

TEST_CASE("the write buffer behaves as a model with plain containers does") {
    const std::uint32_t capacity = GENERATE(1U, 2U, 7U, 64U);
    Random draw{capacity};
    WriteBuffer buffer{capacity};
    Model model;

    for (std::uint32_t step = 0; step < 20'000; ++step) {
        random_step(buffer, model, draw, 2 * capacity + 2, step);

        const auto lpn = static_cast<std::uint32_t>(draw.below(2 * capacity + 2)) * 0x1000193U;
        REQUIRE(buffer.find(lpn).value == model.find(lpn));
        REQUIRE(buffer.dirty() == model.queue.size());
        REQUIRE(buffer.used() == model.slots.size());
        REQUIRE(buffer.has_waiters() == model.has_waiters());
        REQUIRE(buffer.flush_waits() == model.flush_waits());
        REQUIRE((model.epoch == 0 || buffer.epoch_done(model.epoch - 1) == model.epoch_done(model.epoch - 1)));
        if (SlotId{model.find(lpn)}.valid()) {
            REQUIRE(buffer.whole(buffer.find(lpn)) == (model.slots.at(model.find(lpn)).mask == kWholeSector));
        }
        if (step % 64 == 0) {
            buffer.check_invariants();
        }
    }
}
