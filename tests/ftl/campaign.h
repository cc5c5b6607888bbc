// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/random.h"
#include "tests/ftl/drive.h"
#include "tests/ftl/oracle.h"
#include "tests/support/delaying_flash.h"

namespace ftlab::testing {

/// A long random conversation between a host, an FTL and a slow flash, under the eyes of an oracle.
class Campaign {
public:
    struct Spec {
        Drive::Spec drive;
        DelayingFlash::Params flash;
        std::uint64_t seed = 1;
        std::uint32_t hot_sectors = 0;  ///< half of the writes go here; 0: no such place
        double whole_sectors = 0.5;     ///< share of the writes that are aligned to 4 KiB
        double trims = 0.02;            ///< share of the commands
        double flushes = 0.02;
        double fua = 0.05;  ///< share of the writes
        double idle = 0.01;
        double secure_erases = 0.0;
        std::uint32_t most_sectors = 40;  ///< of a command
        std::uint32_t commands_at_once = 8;
    };
    explicit Campaign(const Spec& spec);

    /// Checks the whole drive after every `check_every` steps and, at rest and flushed, at the end.
    void run(std::uint64_t steps, std::uint64_t check_every);

    [[nodiscard]] const Drive& drive() const { return drive_; }
    [[nodiscard]] std::uint64_t commands_done() const { return commands_done_; }

private:
    struct Write {
        std::uint64_t next;
        std::uint64_t end;
        bool fua;
        CommandId tag;
    };
    [[nodiscard]] bool chance(double share) { return random_.uniform() < share; }
    [[nodiscard]] std::optional<CommandId> free_tag() const;
    void any_command();
    void begin_write(CommandId tag);
    void continue_writes();
    void come_to_rest();
    void flush_and_rest();
    void offer(Duration idle_for);
    bool flash_step();
    void check_identities() const;

    Spec spec_;
    Random random_;
    Drive drive_;
    Oracle oracle_;
    DelayingFlash flash_;
    std::vector<Write> writes_;  // not wholly accepted yet; the first goes first
    std::uint64_t commands_done_ = 0;
};

/// Any drive, any policies, any host, any flash: all drawn from the seed.
Campaign::Spec random_campaign(std::uint64_t seed);

}  // namespace ftlab::testing
