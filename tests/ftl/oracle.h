// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ftl/ftl.h"
#include "tests/support/delaying_flash.h"

namespace ftlab::testing {

/// Knows what a drive must hold, and carries the data that the FTL only talks about: the version that was last written
/// of every 512 B LBA, in slots of the write buffer and in flash sectors, moved exactly as a controller would move it.
/// Any contradiction throws std::logic_error with the state of the drive.
///
/// Used around every call into the FTL: before_write() and wrote() enclose write(); settle() ends every other call.
class Oracle final : public FlashWatcher {
public:
    explicit Oracle(const ftl::Ftl& ftl);

    // The host.  Commands are named by tags that are free again once finished.
    void before_write(std::uint64_t first, std::uint32_t count);
    void wrote(std::uint64_t first, std::uint32_t count, bool fua, bool last_of_command, CommandId tag);
    void before_read(std::uint64_t first, std::uint32_t count, CommandId tag);
    void before_trim(std::uint64_t first, std::uint64_t count, CommandId tag);
    void before_flush(CommandId tag);
    void erased_everything();
    /// The call into the FTL has returned.
    void settle();

    [[nodiscard]] bool waiting(CommandId tag) const { return commands_[tag.index()].alive; }
    [[nodiscard]] std::uint32_t commands_waiting() const { return commands_waiting_; }

    // The flash.
    void issued(const ftl::FlashOp& op) override;
    void ended(const ftl::FlashOp& op) override;
    void finished(CommandId command) override;

    /// What the host would read of this sector now equals what it wrote.
    void check_sector(std::uint32_t lpn) const;
    void check_all() const;
    [[noreturn]] void fail(const std::string& why) const;

private:
    using Version = std::uint32_t;  // 0: never written, or trimmed: reads as zeroes
    using Content = std::array<Version, kLbasPerSector>;
    struct Slot {
        std::uint32_t lpn = 0;
        Content data{};
        std::uint8_t mask = 0;
        bool in_use = false;
        bool in_flight = false;
        Version oldest = 0;        // first write that it holds
        std::uint64_t object = 0;  // which use of the slot this is
    };
    struct FlashSector {
        std::uint32_t lpn = nand::kNoLpn;
        Content data{};
        bool programmed = false;
        bool copied_out = false;  // a GC read of it has ended
    };
    struct Item {  // a sector of an operation
        std::uint32_t lpn;
        std::uint32_t source;  // slot or ppa, as in OpPool
        Content data;
    };
    struct Op {
        bool alive = false;
        ftl::FlashOp op;
        ftl::SuperblockId superblock;
        std::uint32_t unit = 0;
        std::vector<Item> items;
    };
    struct Command {
        bool alive = false;
        enum class Kind : std::uint8_t { read, trim, flush, fua } kind = Kind::read;
        std::uint32_t reads_needed = 0;
        std::uint32_t sectors_needed = 0;
        Version upto = 0;                    // flush: all versions up to this one
        std::set<std::uint64_t> objects;     // fua: uses of slots that are not programmed yet
        std::set<std::uint64_t> read_units;  // read: superblock << 32 | unit
        bool open = false;                   // fua: bursts are still to come
    };

    void begin(CommandId tag, Command::Kind kind);
    void capture_programs();
    void check(bool condition, const char* why) const {
        if (!condition) [[unlikely]] {
            fail(why);
        }
    }
    [[nodiscard]] Content logical(std::uint32_t lpn) const;
    [[nodiscard]] FlashSector& sector(ftl::Ppa ppa) { return flash_[ppa.index()]; }
    void slot_is_done(std::uint32_t slot);

    const ftl::Ftl& ftl_;
    std::vector<Content> wanted_;
    std::vector<FlashSector> flash_;  // by ppa
    std::vector<Slot> slots_;
    std::vector<Op> ops_;  // by id
    std::vector<Command> commands_;
    std::vector<std::uint32_t> uncaptured_;  // host programs issued during this call
    std::vector<std::uint32_t> old_slots_;   // before a write, by sector of it
    std::map<std::uint64_t, std::vector<std::uint32_t>> fua_of_object_;
    std::vector<std::uint32_t> touched_;
    Version version_ = 0;
    std::uint64_t objects_ = 0;
    std::uint32_t commands_waiting_ = 0;
};

}  // namespace ftlab::testing
