// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/units.h"

namespace ftlab::controller {

/// Something that the model does at an instant.  `sink`, `what` and `data` are opaque here.
struct Event {
    Time at;
    std::uint64_t sequence;  ///< order of posting, which breaks ties of `at`
    std::uint32_t data;
    std::uint16_t sink;
    std::uint16_t what;

    friend constexpr bool operator==(const Event&, const Event&) = default;
};

/// The total order of events.
constexpr bool before(const Event& a, const Event& b) { return a.at != b.at ? a.at < b.at : a.sequence < b.sequence; }

/// Pending events, taken out in the order of (at, sequence).
///
/// A timing wheel (Varghese and Lauck, SOSP 1987) of short sorted lists, and a heap for whatever does not fit: what
/// lies beyond the wheel's horizon, and what finds its bucket crowded.
///
///      now
///       |
///     bucket | bucket | bucket |  ...  kBuckets of them  ... | beyond the horizon
///       e
///       e               e   e                                  heap
///
/// A pop takes the earlier of the wheel's first event and the heap's, so nothing is moved when the wheel turns.  A push
/// and a pop cost O(1) if events spread (the rule), O(log n) wherever they crowd; a jump over idle hours costs what any
/// other pop does.  Memory grows to the largest number of pending events and is kept: a steady state allocates nothing.
///
/// Invariants:
/// (1) heap_ is a heap with its earliest event on top;
/// (2) every event in the wheel has now_ <= bucket_of(at) < now_ + kBuckets and is in the list of that bucket;
/// (3) each list is sorted;
/// (4) each node is in one list, or free;
/// (5) a bit of occupied_ is set exactly if that list is not empty, a bit of summary_ exactly if that word is not 0.
class Calendar {
public:
    /// Chosen by measurement (tests/bench/scheduler_bench.cpp): 2^20 ps, about 1 us, by 4096 is a horizon of 4.3 ms in
    /// 16 KiB of list heads: the events of a drive but for erases and timers, mostly one or two to a bucket.
    static constexpr unsigned kBucketBits = 20;
    static constexpr std::size_t kBuckets = 4096;
    /// Chosen: about where walking the list costs as much as the heap.
    static constexpr unsigned kCrowded = 16;

    Calendar() {
        heads_.fill(kNone);
        grow();
    }

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Those that found no place in the wheel: few, if its dimensions suit the model.
    [[nodiscard]] std::size_t in_heap() const { return heap_.size(); }

    /// `event.at` must not be before the event popped last; `event.sequence` must be above all pushed so far.
    void push(const Event& event) {
        ++size_;
        const std::uint64_t bucket = bucket_of(event.at);
        const std::size_t slot = slot_of(bucket);
        if (bucket - now_ < kBuckets && heads_[slot] == kNone) [[likely]] {
            insert(slot, &heads_[slot], event);
        } else {
            push_among_others(bucket, event);
        }
    }

    /// Takes the earliest event out, if there is one and it is not later than `limit`.
    bool pop(Time limit, Event& out) {
        if (summary_ != 0) [[likely]] {
            const std::size_t slot = first_slot();
            const std::uint32_t index = heads_[slot];
            Node& node = nodes_[index];
            if (node.event.at < heap_at_ || (!heap_.empty() && before(node.event, heap_.front()))) [[likely]] {
                if (node.event.at > limit) {
                    return false;
                }
                out = node.event;
                heads_[slot] = node.next;
                if (node.next == kNone) [[likely]] {
                    mark_empty(slot);
                }
                node.next = free_;
                free_ = index;
                now_ = bucket_of(out.at);
                --size_;
                return true;
            }
        }
        return pop_heap(limit, out);
    }

    /// The time of the earliest event, or kNever.
    [[nodiscard]] Time next() const {
        return std::min(heap_at_, summary_ == 0 ? kNever : nodes_[heads_[first_slot()]].event.at);
    }

    /// For tests: FTLAB_CHECKs the invariants of the class.
    void check_invariants() const;

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr std::size_t kWordBits = 64;
    static constexpr std::size_t kWords = kBuckets / kWordBits;
    static_assert(kWords == kWordBits, "the summary is one word");

    struct Node {
        Event event;
        std::uint32_t next;
    };

    static std::uint64_t bucket_of(Time at) { return static_cast<std::uint64_t>(at.count()) >> kBucketBits; }
    static std::size_t slot_of(std::uint64_t bucket) { return bucket % kBuckets; }
    static bool later(const Event& a, const Event& b) { return before(b, a); }

    [[gnu::noinline]] void push_heap(Event event) {
        heap_.push_back(event);
        std::push_heap(heap_.begin(), heap_.end(), later);
        heap_at_ = heap_.front().at;
    }

    [[gnu::noinline]] bool pop_heap(Time limit, Event& out) {
        if (heap_.empty() || heap_.front().at > limit) {
            return false;
        }
        std::pop_heap(heap_.begin(), heap_.end(), later);
        out = heap_.back();
        heap_.pop_back();
        heap_at_ = heap_.empty() ? kNever : heap_.front().at;
        now_ = bucket_of(out.at);
        --size_;
        return true;
    }

    /// Into the list of its bucket, unless that is crowded or out of reach.
    [[gnu::noinline]] void push_among_others(std::uint64_t bucket, const Event& event) {
        if (bucket - now_ >= kBuckets) {
            push_heap(event);
            return;
        }
        const std::size_t slot = slot_of(bucket);
        std::uint32_t* place = &heads_[slot];
        for (unsigned steps = 0; *place != kNone && nodes_[*place].event.at <= event.at; ++steps) {
            if (steps == kCrowded) {
                push_heap(event);
                return;
            }
            place = &nodes_[*place].next;
        }
        insert(slot, place, event);
    }

    /// Makes a node of the list of `slot`, before the one that `place` leads to.
    void insert(std::size_t slot, std::uint32_t* place, const Event& event) {
        const std::uint32_t index = free_;
        Node& node = nodes_[index];
        free_ = node.next;
        node.event = event;
        node.next = *place;
        *place = index;
        occupied_[slot / kWordBits] |= std::uint64_t{1} << (slot % kWordBits);
        summary_ |= std::uint64_t{1} << (slot / kWordBits);
        if (free_ == kNone) [[unlikely]] {
            grow();
        }
    }

    /// The first bucket from now_ on with events; the wheel must not be empty.
    [[nodiscard]] std::size_t first_slot() const {
        const std::size_t here = slot_of(now_);
        const std::size_t word = here / kWordBits;
        const std::uint64_t rest = occupied_[word] >> (here % kWordBits);
        if (rest != 0) {
            return here + static_cast<std::size_t>(std::countr_zero(rest));
        }
        // the following words in a circle, with this one last
        const int skip = static_cast<int>(word) + 1;
        const auto ahead = static_cast<std::size_t>(std::countr_zero(std::rotr(summary_, skip)));
        const std::size_t found = (word + 1 + ahead) % kWords;
        return found * kWordBits + static_cast<std::size_t>(std::countr_zero(occupied_[found]));
    }

    void mark_empty(std::size_t slot) {
        std::uint64_t& word = occupied_[slot / kWordBits];
        word &= ~(std::uint64_t{1} << (slot % kWordBits));
        if (word == 0) {
            summary_ &= ~(std::uint64_t{1} << (slot / kWordBits));
        }
    }

    [[gnu::noinline]] void grow() {
        const std::size_t old_size = nodes_.size();
        const std::size_t new_size = std::max<std::size_t>(1024, 2 * old_size);
        FTLAB_CHECK(new_size < kNone, "too many pending events");
        nodes_.resize(new_size);
        for (std::size_t i = new_size; i-- > old_size;) {
            nodes_[i].next = free_;
            free_ = static_cast<std::uint32_t>(i);
        }
    }

    std::uint64_t now_ = 0;  // the bucket of the event popped last
    std::uint64_t summary_ = 0;
    std::size_t size_ = 0;
    std::uint32_t free_ = kNone;
    std::vector<Node> nodes_;
    std::vector<Event> heap_;
    Time heap_at_ = kNever;  // of the heap's earliest event
    std::array<std::uint64_t, kWords> occupied_{};
    std::array<std::uint32_t, kBuckets> heads_{};
};

inline void Calendar::check_invariants() const {
    FTLAB_CHECK(std::is_heap(heap_.begin(), heap_.end(), later), "the heap is none");
    FTLAB_CHECK(heap_at_ == (heap_.empty() ? kNever : heap_.front().at), "the heap's earliest time is wrong");
    std::size_t in_wheel = 0;
    for (std::size_t slot = 0; slot < kBuckets; ++slot) {
        const bool marked = ((occupied_[slot / kWordBits] >> (slot % kWordBits)) & 1U) != 0;
        FTLAB_CHECK(marked == (heads_[slot] != kNone), "the occupancy of a bucket is marked wrongly");
        for (std::uint32_t index = heads_[slot]; index != kNone; index = nodes_[index].next) {
            const Node& node = nodes_[index];
            const std::uint64_t bucket = bucket_of(node.event.at);
            FTLAB_CHECK(slot_of(bucket) == slot, "an event is in another bucket's list");
            FTLAB_CHECK(bucket - now_ < kBuckets, "an event is outside the wheel's horizon");
            FTLAB_CHECK(node.next == kNone || before(node.event, nodes_[node.next].event), "a list is not sorted");
            ++in_wheel;
        }
    }
    for (std::size_t word = 0; word < kWords; ++word) {
        FTLAB_CHECK((((summary_ >> word) & 1U) != 0) == (occupied_[word] != 0), "the summary does not match its word");
    }
    FTLAB_CHECK(in_wheel + heap_.size() == size_, "events were lost or doubled");
    std::size_t free_nodes = 0;
    for (std::uint32_t index = free_; index != kNone; index = nodes_[index].next) {
        ++free_nodes;
    }
    FTLAB_CHECK(in_wheel + free_nodes == nodes_.size(), "nodes were lost or doubled");
}

}  // namespace ftlab::controller
