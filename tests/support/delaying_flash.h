// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "ftl/flash_op.h"
#include "ftl/ftl.h"
#include "sim/base/random.h"

namespace ftlab::testing {

/// Hears of everything that happens between an FTL and its flash.
class FlashWatcher {
public:
    virtual void issued(const ftl::FlashOp& op) = 0;
    /// The operation has taken effect on the flash; the FTL does not know yet.
    virtual void ended(const ftl::FlashOp& op) = 0;
    virtual void finished(CommandId command) = 0;

protected:
    ~FlashWatcher() = default;
};

/// Which operation in flight ends next.
enum class Order : std::uint8_t {
    issue,       ///< as issued: what InstantFlash does
    random,      ///< any that may: reads at any time, programs and erases of a die in their issue order
    late_reads,  ///< as random, but reads wait while anything else can end
    slow_die     ///< as random, but programs and erases of die 0 wait while anything else can end
};

/// An executor that ends operations late and out of order, with room for a bounded number of programs a die.
class DelayingFlash final : public ftl::Executor {
public:
    struct Params {
        Order order = Order::random;
        std::uint32_t programs_per_die = 2;
    };
    DelayingFlash(ftl::Ftl& ftl, std::uint32_t dies, const Params& params, Random random, FlashWatcher& watcher)
        : ftl_{ftl}, params_{params}, random_{random}, watcher_{watcher}, queues_(dies), programs_(dies) {}

    [[nodiscard]] bool room(ftl::Origin /*payer*/, nand::DieId die) const override {
        return programs_[die.index()] < params_.programs_per_die;
    }
    void issue(const ftl::FlashOp& op) override {
        ++in_flight_;
        if (params_.order == Order::issue) {
            line_.push_back(op);
        } else if (op.kind == ftl::OpKind::read) {
            reads_.push_back(op);
        } else {
            queues_[op.die.index()].push_back(op);
        }
        programs_[op.die.index()] += op.kind == ftl::OpKind::program ? 1U : 0U;
        watcher_.issued(op);
    }
    void finished(CommandId command, ftl::Outcome /*outcome*/) override { watcher_.finished(command); }

    [[nodiscard]] std::size_t in_flight() const { return in_flight_; }
    /// Ends one operation and tells the FTL; false when nothing is in flight.
    bool step() {
        if (in_flight_ == 0) {
            return false;
        }
        const ftl::FlashOp op = take();
        --in_flight_;
        programs_[op.die.index()] -= op.kind == ftl::OpKind::program ? 1U : 0U;
        watcher_.ended(op);
        ftl_.complete(op.id, ftl::Outcome::ok, *this);
        return true;
    }

private:
    ftl::FlashOp take() {
        if (params_.order == Order::issue) {
            const ftl::FlashOp op = line_.front();
            line_.pop_front();
            return op;
        }
        std::vector<std::size_t>& dies = candidates_;  // those whose head may end
        dies.clear();
        for (std::size_t d = 0; d < queues_.size(); ++d) {
            if (!queues_[d].empty()) {
                dies.push_back(d);
            }
        }
        if (params_.order == Order::slow_die && !dies.empty() && dies.front() == 0 &&
            (dies.size() > 1 || !reads_.empty())) {
            dies.erase(dies.begin());
        }
        const bool reads_wait = params_.order == Order::late_reads && !dies.empty();
        const std::size_t choices = dies.size() + (reads_wait ? 0 : reads_.size());
        const std::size_t choice = random_.below(choices);
        if (choice < dies.size()) {
            std::deque<ftl::FlashOp>& queue = queues_[dies[choice]];
            const ftl::FlashOp op = queue.front();
            queue.pop_front();
            return op;
        }
        ftl::FlashOp& slot = reads_[choice - dies.size()];
        const ftl::FlashOp op = slot;
        slot = reads_.back();
        reads_.pop_back();
        return op;
    }

    ftl::Ftl& ftl_;
    Params params_;
    Random random_;
    FlashWatcher& watcher_;
    std::deque<ftl::FlashOp> line_;
    std::vector<std::deque<ftl::FlashOp>> queues_;  // programs and erases, by die
    std::vector<ftl::FlashOp> reads_;
    std::vector<std::uint32_t> programs_;  // in flight, by die
    std::vector<std::size_t> candidates_;
    std::size_t in_flight_ = 0;
};

}  // namespace ftlab::testing
