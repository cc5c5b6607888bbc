// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sim/workload/request.h"

namespace ftlab::workload {

/// Produces the requests of one workload, in order, and knows nothing of who plays them or how fast: a timed driver,
/// bare mode and a test all draw from the same source.  Rules: (1) the sequence does not depend on how it is asked for:
/// one at a time or in batches of any size; (2) every request lies within the drive, and is not empty unless it is a
/// flush; (3) generators allocate only while they are built and do not throw afterwards; trace sources may throw
/// TraceError.
class Source {
public:
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    virtual ~Source() = default;

    /// Writes the next requests to the front of `out`; returns how many.  Fewer than asked for only at the end of the
    /// workload, from then on 0.
    virtual std::size_t fill(std::span<Request> out) = 0;

    /// Whether `arrival` means something, so that an open loop can play the source.
    [[nodiscard]] virtual bool has_arrival_times() const { return false; }

    /// The next request alone.  Costs one virtual call: hot loops go through Lookahead.
    std::optional<Request> next() {
        std::optional<Request> request{std::in_place};
        if (fill({&*request, 1}) == 0) {
            request.reset();
        }
        return request;
    }
};

/// Reads a source in batches and shows what comes next, so that a runner can prefetch the mapping of later requests:
///
///     for (Lookahead requests{source}; const Request* r = requests.front(); requests.pop()) {
///         if (const Request* later = requests.ahead(16)) { prefetch(later->first); }
///         play(*r);
///     }
///
/// Takes requests from the source up to kCapacity before they are played; whoever stops early leaves them behind.
class Lookahead {
public:
    static constexpr std::size_t kVisible = 64;  ///< ahead(n) is complete for n < kVisible
    static constexpr std::size_t kBatch = 64;    // chosen: a virtual call per batch is lost in the noise; 4 KiB in all
    static constexpr std::size_t kCapacity = kVisible + kBatch;

    explicit Lookahead(Source& source) : source_{source} {
        refill();
        refill();
    }

    /// The next request to play; null at the end.
    [[nodiscard]] const Request* front() const { return head_ == tail_ ? nullptr : &ring_[head_ % kCapacity]; }

    /// The request that comes `n` after the front; null where the workload ends before it, or n >= kVisible.
    [[nodiscard]] const Request* ahead(std::size_t n) const {
        return n < kVisible && n < tail_ - head_ ? &ring_[(head_ + n) % kCapacity] : nullptr;
    }

    /// Goes on to the next request.  Only where front() is not null.
    void pop() {
        ++head_;
        if (tail_ - head_ == kVisible) {
            refill();
        }
    }

private:
    void refill() {
        // The tail stands at a multiple of the batch until the source has ended, so a batch never wraps.
        if (tail_ % kBatch == 0) {
            tail_ += source_.fill({&ring_[tail_ % kCapacity], kBatch});
        }
    }

    Source& source_;
    std::array<Request, kCapacity> ring_;
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
};

}  // namespace ftlab::workload
