// SPDX-License-Identifier: MIT
#include "tests/ftl/oracle.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ftlab::testing {

using ftl::OpKind;
using ftl::Origin;
using ftl::Ppa;
using ftl::SlotId;

Oracle::Oracle(const ftl::Ftl& ftl)
    : ftl_{ftl},
      wanted_(ftl.user_sectors()),
      flash_(ftl.pool().ppa(ftl::SuperblockId{ftl.pool().superblocks()}, 0).index()),
      slots_(ftl.buffer().capacity()),
      commands_(64) {}

void Oracle::fail(const std::string& why) const {
    std::ostringstream out;
    const ftl::BlockPool& pool = ftl_.pool();
    const ftl::WriteBuffer& buffer = ftl_.buffer();
    const ftl::Collector& gc = ftl_.collector();
    out << why << "\nbuffer: free " << buffer.free() << " of " << buffer.capacity() << ", dirty " << buffer.dirty()
        << "\ncollector: victims " << gc.victims_in_progress() << ", sectors in flight " << gc.sectors_in_flight()
        << ", gathered " << gc.gathered() << ", unit due " << gc.unit_due() << ", tail " << gc.only_tail_left()
        << "\nhost blocked " << ftl_.host_blocked() << ", collecting " << ftl_.collecting() << ", free superblocks "
        << pool.free_count() << ", operations in flight " << ftl_.operations().in_flight() << ", commands waiting "
        << commands_waiting_ << "\nsuperblocks:";
    for (std::uint32_t i = 0; i < pool.superblocks(); ++i) {
        const ftl::SuperblockId sb{i};
        constexpr std::array<const char*, 4> kStates{"free", "open", "closed", "victim"};
        out << "\n  " << i << " " << kStates[static_cast<std::size_t>(pool.state(sb))] << " valid " << pool.valid(sb)
            << " filled " << pool.filled(sb) << " of " << pool.sectors() << " pins " << pool.pins(sb);
    }
    throw std::logic_error(out.str());
}

Oracle::Content Oracle::logical(std::uint32_t lpn) const {
    Content content{};
    const Ppa ppa = ftl_.map().find(lpn);
    if (ppa.valid()) {
        const FlashSector& s = flash_[ppa.index()];
        check(s.programmed && s.lpn == lpn, "the map points to a flash sector that holds this logical page");
        content = s.data;
    }
    const SlotId slot = ftl_.buffer().find(lpn);
    if (slot.valid()) {
        const Slot& s = slots_[slot.index()];
        check(s.in_use && s.lpn == lpn, "the buffer finds a slot that holds this logical page");
        for (std::uint32_t i = 0; i < kLbasPerSector; ++i) {
            content[i] = (s.mask & (1U << i)) != 0 ? s.data[i] : content[i];
        }
    }
    return content;
}

void Oracle::check_sector(std::uint32_t lpn) const {
    if (logical(lpn) != wanted_[lpn]) {
        fail("sector " + std::to_string(lpn) + " does not hold what was written last");
    }
}

void Oracle::check_all() const {
    for (std::uint32_t lpn = 0; lpn < ftl_.user_sectors(); ++lpn) {
        check_sector(lpn);
    }
}

void Oracle::begin(CommandId tag, Command::Kind kind) {
    Command& c = commands_[tag.index()];
    check(!c.alive, "the test uses each tag once at a time");
    c = Command{};
    c.alive = true;
    c.kind = kind;
    ++commands_waiting_;
}

void Oracle::before_write(std::uint64_t first, std::uint32_t count) {
    old_slots_.clear();
    for (std::uint64_t lpn = first / kLbasPerSector; lpn * kLbasPerSector < first + count; ++lpn) {
        old_slots_.push_back(ftl_.buffer().find(static_cast<std::uint32_t>(lpn)).value);
    }
}

void Oracle::wrote(std::uint64_t first, std::uint32_t count, bool fua, bool last_of_command, CommandId tag) {
    if (fua && !commands_[tag.index()].alive) {
        begin(tag, Command::Kind::fua);
    }
    ++version_;
    std::size_t at = 0;
    for (std::uint64_t i = first / kLbasPerSector; i * kLbasPerSector < first + count; ++i) {
        const auto lpn = static_cast<std::uint32_t>(i);
        const std::uint32_t old = old_slots_[at++];
        const SlotId now = ftl_.buffer().find(lpn);
        check(now.valid(), "a sector just written is in the buffer");
        Slot& slot = slots_[now.index()];
        if (SlotId{old}.valid() && !slots_[old].in_flight) {
            check(now.value == old, "a write to a sector that waits for its program coalesces");
        } else {
            check(now.value != old && !slot.in_use, "data in flight is not changed: a rewrite takes a free slot");
            slot = Slot{};
            slot.lpn = lpn;
            slot.in_use = true;
            slot.oldest = version_;
            slot.object = ++objects_;
            if (SlotId{old}.valid()) {  // the rest of the sector comes from the copy in flight
                check(slots_[old].mask == 0xff, "only whole sectors are programmed");
                check(ftl_.buffer().whole(now), "the copy in flight completes what was written of the sector");
                slot.data = slots_[old].data;
                slot.mask = 0xff;
            }
        }
        for (std::uint32_t b = 0; b < kLbasPerSector; ++b) {
            const std::uint64_t lba = i * kLbasPerSector + b;
            if (lba >= first && lba < first + count) {
                wanted_[lpn][b] = version_;
                slot.data[b] = version_;
                slot.mask = static_cast<std::uint8_t>(slot.mask | (1U << b));
            }
        }
        if (fua) {
            commands_[tag.index()].objects.insert(slot.object);
            fua_of_object_[slot.object].push_back(tag.value);
        }
        touched_.push_back(lpn);
    }
    if (fua) {
        commands_[tag.index()].open = !last_of_command;
    }
    settle();
}

void Oracle::before_read(std::uint64_t first, std::uint32_t count, CommandId tag) {
    begin(tag, Command::Kind::read);
    Command& c = commands_[tag.index()];
    for (std::uint64_t i = first / kLbasPerSector; i * kLbasPerSector < first + count; ++i) {
        const auto lpn = static_cast<std::uint32_t>(i);
        check_sector(lpn);
        const SlotId slot = ftl_.buffer().find(lpn);
        const Ppa ppa = ftl_.map().find(lpn);
        if (ppa.valid() && !(slot.valid() && ftl_.buffer().whole(slot))) {
            ++c.sectors_needed;
            c.read_units.insert((ftl_.pool().superblock_of(ppa).index() << 32U) |
                                (ftl_.pool().offset_of(ppa) / ftl_.pool().unit_sectors()));
        }
    }
}

void Oracle::before_trim(std::uint64_t first, std::uint64_t count, CommandId tag) {
    begin(tag, Command::Kind::trim);
    const std::uint64_t end = (first + count) / kLbasPerSector;
    for (std::uint64_t i = (first + kLbasPerSector - 1) / kLbasPerSector; i < end; ++i) {
        const auto lpn = static_cast<std::uint32_t>(i);
        wanted_[lpn] = Content{};
        const SlotId slot = ftl_.buffer().find(lpn);
        if (slot.valid() && !slots_[slot.index()].in_flight) {
            slot_is_done(slot.value);
        }
        touched_.push_back(lpn);
    }
}

void Oracle::before_flush(CommandId tag) {
    begin(tag, Command::Kind::flush);
    commands_[tag.index()].upto = version_;
}

void Oracle::erased_everything() {
    std::fill(wanted_.begin(), wanted_.end(), Content{});
    std::fill(flash_.begin(), flash_.end(), FlashSector{});
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        slot_is_done(i);
    }
    check(ftl_.buffer().used() == 0 && ftl_.map().mapped() == 0, "an erased drive holds nothing");
    settle();
}

void Oracle::slot_is_done(std::uint32_t index) {
    Slot& slot = slots_[index];
    const auto waiting = fua_of_object_.find(slot.object);
    if (slot.in_use && waiting != fua_of_object_.end()) {
        for (const std::uint32_t tag : waiting->second) {
            commands_[tag].objects.erase(slot.object);
        }
        fua_of_object_.erase(waiting);
    }
    slot.in_use = slot.in_flight = false;
}

void Oracle::capture_programs() {
    for (const std::uint32_t id : uncaptured_) {
        for (Item& item : ops_[id].items) {
            Slot& slot = slots_[item.source];
            check(slot.in_use && !slot.in_flight && slot.lpn == item.lpn, "a slot is programmed once, for its sector");
            slot.in_flight = true;
            item.data = slot.data;  // what neither the host nor a read supplied is zeroes
            slot.mask = 0xff;
        }
    }
    uncaptured_.clear();
}

void Oracle::settle() {
    capture_programs();
    for (const std::uint32_t lpn : touched_) {
        check_sector(lpn);
    }
    touched_.clear();
    for (const Command& c : commands_) {
        check(!c.alive || c.kind != Command::Kind::trim, "a TRIM finishes at once");
        check(!c.alive || c.kind != Command::Kind::read || c.sectors_needed == 0,
              "a read asks for every sector that only the flash holds");
        check(!c.alive || c.kind != Command::Kind::read || c.reads_needed > 0, "a read without flash finishes at once");
    }
}

void Oracle::issued(const ftl::FlashOp& op) {
    ops_.resize(std::max(ops_.size(), op.id.index() + 1));
    Op& mine = ops_[op.id.index()];
    check(!mine.alive, "an operation's id is not used again before its end");
    const ftl::OpPool::Op& theirs = ftl_.operations()[op.id];
    const ftl::BlockPool& pool = ftl_.pool();
    check(theirs.kind == op.kind && theirs.payer == op.payer, "the FTL remembers what it issued");
    mine = {true, op, theirs.superblock, theirs.unit, {}};
    check(op.planes >= 1 && op.planes <= pool.planes(), "an operation spans planes of one die");
    check(op.die == pool.die_of_unit(mine.unit), "an operation goes to the die of its unit");
    const std::uint32_t first = mine.unit * pool.unit_sectors();
    if (op.kind == OpKind::program || op.payer == Origin::rmw) {
        const std::uint32_t* lpns = ftl_.operations().lpns(op.id);
        const std::uint32_t* sources = ftl_.operations().sources(op.id);
        for (std::uint32_t i = 0; i < theirs.count; ++i) {
            mine.items.push_back({lpns[i], sources[i], {}});
        }
    } else if (op.kind == OpKind::read && op.payer == Origin::gc) {
        for (std::uint32_t i = 0; i < pool.unit_sectors(); ++i) {
            const Ppa ppa = pool.ppa(mine.superblock, first + i);
            if (pool.is_valid(ppa)) {
                mine.items.push_back({sector(ppa).lpn, ppa.value, {}});
            }
        }
    }

    if (op.kind == OpKind::erase) {
        check(pool.state(mine.superblock) == ftl::BlockPool::State::victim && pool.valid(mine.superblock) == 0,
              "only a victim without valid sectors is erased");
        for (const Op& other : ops_) {
            if (!other.alive || &other == &mine) {
                continue;
            }
            check(other.superblock != mine.superblock || other.op.kind == OpKind::erase,
                  "a superblock is not erased while something in flight reads or programs it");
            if (other.op.kind == OpKind::program && other.op.payer == Origin::gc) {
                for (const Item& item : other.items) {
                    check(pool.superblock_of(Ppa{item.source}) != mine.superblock,
                          "a superblock is not erased while a copy of its data is not programmed yet");
                }
            }
        }
        return;
    }
    check(op.page == pool.page_of_unit(mine.unit), "an operation addresses the page of its unit");
    if (op.kind == OpKind::program) {
        check(pool.state(mine.superblock) == ftl::BlockPool::State::open, "programs go to open superblocks");
        check(op.planes == pool.planes() && op.sectors == pool.unit_sectors(), "programs are of whole units");
        if (op.payer == Origin::host) {
            uncaptured_.push_back(op.id.value);
            return;
        }
        check(op.payer == Origin::gc, "host and collector program");
        for (Item& item : mine.items) {
            const Ppa source{item.source};
            check(ftl_.map().find(item.lpn) == source, "GC does not copy what was overwritten or trimmed");
            check(wanted_[item.lpn] != Content{}, "GC does not copy what was trimmed");
            check(sector(source).copied_out, "a sector is read before it is copied");
            item.data = sector(source).data;
        }
        return;
    }
    if (op.payer == Origin::host) {
        Command& c = commands_[op.tag.index()];
        check(c.alive && c.kind == Command::Kind::read, "a host read belongs to a command");
        check(op.sectors <= c.sectors_needed, "a read asks for no sector twice");
        check(c.read_units.count((mine.superblock.index() << 32U) | mine.unit) == 1, "a read goes where the data is");
        c.sectors_needed -= op.sectors;
        ++c.reads_needed;
    } else if (op.payer == Origin::gc) {
        check(pool.state(mine.superblock) == ftl::BlockPool::State::victim, "GC reads victims");
        check(op.sectors == mine.items.size(), "GC reads valid sectors only");
        for (const Item& item : mine.items) {
            check(ftl_.map().find(item.lpn) == Ppa{item.source}, "GC reads valid sectors only");
            check(item.source >= pool.ppa(mine.superblock, first).value &&
                      item.source < pool.ppa(mine.superblock, first).value + pool.unit_sectors(),
                  "a read is of one unit");
        }
    } else {
        check(op.payer == Origin::rmw && mine.items.size() == 1 && op.sectors == 1,
              "a read-modify-write reads one sector");
        Item& item = mine.items.front();
        const Ppa source = ftl_.map().find(item.lpn);
        check(source.valid() && pool.superblock_of(source) == mine.superblock &&
                  pool.offset_of(source) / pool.unit_sectors() == mine.unit,
              "a read-modify-write reads where the sector is");
        item.data = sector(source).data;
    }
}

void Oracle::ended(const ftl::FlashOp& op) {
    Op& mine = ops_[op.id.index()];
    check(mine.alive, "what ends was issued");
    mine.alive = false;
    const ftl::BlockPool& pool = ftl_.pool();
    const Ppa first = pool.ppa(mine.superblock, mine.unit * pool.unit_sectors());
    switch (op.kind) {
        case OpKind::erase:
            for (std::uint32_t unit = mine.unit; unit < pool.units(); unit += pool.dies()) {
                for (std::uint32_t i = 0; i < pool.unit_sectors(); ++i) {
                    sector(pool.ppa(mine.superblock, unit * pool.unit_sectors() + i)) = FlashSector{};
                }
            }
            break;
        case OpKind::program:
            for (std::uint32_t i = 0; i < pool.unit_sectors(); ++i) {
                FlashSector& s = sector(Ppa{first.value + i});
                check(!s.programmed, "a flash sector is programmed once between erases");
                s = FlashSector{};
                s.programmed = true;
                if (i < mine.items.size()) {
                    s.lpn = mine.items[i].lpn;
                    s.data = mine.items[i].data;
                    touched_.push_back(s.lpn);
                    if (op.payer == Origin::host) {
                        slot_is_done(mine.items[i].source);
                    }
                }
            }
            break;
        case OpKind::read:
            check(sector(first).programmed, "what is read was not erased meanwhile");
            if (op.payer == Origin::host) {
                Command& c = commands_[op.tag.index()];
                check(c.alive && c.reads_needed > 0, "a read waits for its operations");
                --c.reads_needed;
            } else if (op.payer == Origin::gc) {
                for (const Item& item : mine.items) {
                    sector(Ppa{item.source}).copied_out = true;
                }
            } else {
                const Item& item = mine.items.front();
                Slot& slot = slots_[item.source];
                // Dropped by a TRIM meanwhile: then nobody looks at it again.
                for (std::uint32_t b = 0; slot.in_use && b < kLbasPerSector; ++b) {
                    slot.data[b] = (slot.mask & (1U << b)) != 0 ? slot.data[b] : item.data[b];
                }
                slot.mask = 0xff;
                touched_.push_back(item.lpn);
            }
            break;
    }
}

void Oracle::finished(CommandId tag) {
    Command& c = commands_[tag.index()];
    check(c.alive, "a command finishes once");
    c.alive = false;
    --commands_waiting_;
    switch (c.kind) {
        case Command::Kind::read:
            check(c.reads_needed == 0 && c.sectors_needed == 0, "a read finishes when the last flash read has ended");
            break;
        case Command::Kind::trim:
            break;
        case Command::Kind::flush:
            for (const Slot& slot : slots_) {
                check(!slot.in_use || slot.oldest > c.upto, "a flush finishes when every earlier write is programmed");
            }
            break;
        case Command::Kind::fua:
            check(!c.open && c.objects.empty(), "a FUA write finishes when all of its data is programmed");
            break;
    }
}

}  // namespace ftlab::testing
