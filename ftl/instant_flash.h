// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "ftl/flash_op.h"
#include "ftl/ftl.h"
#include "sim/base/check.h"

namespace ftlab::ftl {

/// Bare mode: carries out flash operations at once, in issue order, without any notion of time.  Operations queue up
/// during a call into the FTL and are drained after it returns, so the FTL is never re-entered.
class InstantFlash final : public Executor {
public:
    explicit InstantFlash(Ftl& ftl) : ftl_{ftl} {}

    /// Writes of any size: in bursts of what the write buffer takes.
    void write(std::uint64_t first, std::uint64_t count) {
        while (count > 0) {
            if (ftl_.room() < ftl_.burst()) {  // a timed phase has left a buffer full of data that was held
                ftl_.resume(*this);
                drain();
            }
            // Up to the end of the last sector that fits; at rest there is always room for one.
            const std::uint64_t fits = (first / kLbasPerSector + ftl_.room()) * kLbasPerSector - first;
            const auto burst = static_cast<std::uint32_t>(std::min(count, fits));
            const Admission admission = ftl_.write({.first = first, .count = burst, .tag = CommandId{0}}, *this);
            FTLAB_CHECK(admission == Admission::accepted, "a drained FTL takes a write that fits its buffer");
            drain();
            first += burst;
            count -= burst;
        }
    }
    void read(std::uint64_t first, std::uint32_t count) {
        ftl_.read(first, count, CommandId{0}, *this);
        drain();
    }
    void trim(std::uint64_t first, std::uint64_t count) {
        ftl_.trim(first, count, CommandId{0}, *this);
        drain();
    }
    void flush() {
        ftl_.flush(CommandId{0}, *this);
        drain();
    }
    void offer(const Opportunity& opportunity) {
        ftl_.offer(opportunity, *this);
        drain();
    }

    [[nodiscard]] bool room(Origin /*payer*/, nand::DieId /*die*/) const override { return true; }
    void issue(const FlashOp& op) override { queue_.push_back(op.id); }
    void finished(CommandId /*command*/, Outcome /*outcome*/) override {}

private:
    void drain() {
        while (head_ < queue_.size()) {
            ftl_.complete(queue_[head_++], Outcome::ok, *this);
        }
        queue_.clear();
        head_ = 0;
    }

    Ftl& ftl_;
    std::vector<OpId> queue_;
    std::size_t head_ = 0;
};

}  // namespace ftlab::ftl
