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
/// A timing wheel (Varghese and Lauck, SOSP 1987) of unsorted buckets, which are ordered only when their time has come
/// (as in the ladder queue of Tang, Goh and Thng, 2005), and a heap for what lies beyond the wheel's horizon:
///
///     past | front: a heap | bucket | bucket |  ...  kBuckets - 1 of them  ... | overflow: a heap
///                    ^ current_
///
/// A push costs O(1), a pop O(1) when its bucket holds one event (the rule) and O(log n) at worst, wherever the events
/// crowd; a jump over idle hours costs what any other pop does.  Nothing is moved when the wheel turns: an event that
/// was once beyond the horizon is taken from the overflow.  Memory grows to the largest number of pending events and
/// is kept, so a steady state allocates nothing.
///
/// Invariants:
/// (1) front_ and overflow_ are heaps with the earliest event on top;
/// (2) every event of front_ has bucket_of(at) <= current_;
/// (3) every event of the wheel has current_ < bucket_of(at) < current_ + kBuckets and is in the list of that bucket;
/// (4) a bit of occupied_ is set exactly if that list is not empty, a bit of summary_ exactly if that word is not 0.
class Calendar {
public:
    /// Chosen by measurement (tests/bench/scheduler_bench): 2^20 ps, about 1 us, by 4096 is a horizon of 4.3 ms, so
    /// that only erases and timers overflow, in 16 KiB of list heads.
    static constexpr unsigned kBucketBits = 20;
    static constexpr std::size_t kBuckets = 4096;

    Calendar() {
        heads_.fill(kNone);
        grow();
    }

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }

    /// `event.at` must not be negative; `event.sequence` must not be that of another pending event.
    void push(const Event& event) {
        ++size_;
        const std::uint64_t bucket = bucket_of(event.at);
        if (bucket - current_ - 1 < kBuckets - 1) [[likely]] {  // wraps around where bucket <= current_
            insert(bucket, event);
        } else {
            push_heap(bucket <= current_ ? front_ : overflow_, event);
        }
    }

    /// Takes the earliest event out, if there is one and it is not later than `limit`.
    bool pop(Time limit, Event& out) {
        if (front_.empty() && summary_ != 0) [[likely]] {
            const std::uint64_t bucket = next_bucket();
            const std::size_t slot = slot_of(bucket);
            const Node& node = nodes_[heads_[slot]];
            if (node.next == kNone && node.event.at <= limit && !overflow_precedes(node.event)) [[likely]] {
                out = node.event;
                release_list(slot);
                current_ = bucket;
                --size_;
                return true;
            }
        }
        return pop_crowded(limit, out);
    }

    /// The time of the earliest event, or kNever.
    [[nodiscard]] Time next() {
        open_next_bucket();
        const Time in_front = front_.empty() ? kNever : front_.front().at;
        return overflow_.empty() ? in_front : std::min(in_front, overflow_.front().at);
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
    static Time start_of(std::uint64_t bucket) { return Time{static_cast<std::int64_t>(bucket << kBucketBits)}; }
    static std::size_t slot_of(std::uint64_t bucket) { return bucket % kBuckets; }
    static bool later(const Event& a, const Event& b) { return before(b, a); }

    static void push_heap(std::vector<Event>& heap, const Event& event) {
        heap.push_back(event);
        std::push_heap(heap.begin(), heap.end(), later);
    }

    static Event pop_heap(std::vector<Event>& heap) {
        std::pop_heap(heap.begin(), heap.end(), later);
        const Event event = heap.back();
        heap.pop_back();
        return event;
    }

    [[nodiscard]] bool overflow_precedes(const Event& event) const {
        return !overflow_.empty() && before(overflow_.front(), event);
    }

    void insert(std::uint64_t bucket, const Event& event) {
        if (free_ == kNone) [[unlikely]] {
            grow();
        }
        const std::size_t slot = slot_of(bucket);
        const std::uint32_t index = free_;
        Node& node = nodes_[index];
        free_ = node.next;
        node.event = event;
        node.next = heads_[slot];
        heads_[slot] = index;
        occupied_[slot / kWordBits] |= std::uint64_t{1} << (slot % kWordBits);
        summary_ |= std::uint64_t{1} << (slot / kWordBits);
    }

    /// The first bucket after current_ with events; the wheel must not be empty.
    [[nodiscard]] std::uint64_t next_bucket() const {
        const std::size_t here = slot_of(current_ + 1);
        const std::size_t word = here / kWordBits;
        std::size_t slot = 0;
        if (const std::uint64_t rest = occupied_[word] >> (here % kWordBits); rest != 0) {
            slot = here + static_cast<std::size_t>(std::countr_zero(rest));
        } else {  // the following words in a circle, this one last
            const int skip = static_cast<int>(word) + 1;
            const int ahead = std::countr_zero(std::rotr(summary_, skip));
            const std::size_t found = static_cast<std::size_t>(skip + ahead) % kWords;
            slot = found * kWordBits + static_cast<std::size_t>(std::countr_zero(occupied_[found]));
        }
        return current_ + 1 + slot_of(slot - here);
    }

    /// Empties a list of one node.
    void release_list(std::size_t slot) {
        const std::uint32_t index = heads_[slot];
        nodes_[index].next = free_;
        free_ = index;
        clear(slot);
    }

    void clear(std::size_t slot) {
        heads_[slot] = kNone;
        std::uint64_t& word = occupied_[slot / kWordBits];
        word &= ~(std::uint64_t{1} << (slot % kWordBits));
        if (word == 0) {
            summary_ &= ~(std::uint64_t{1} << (slot / kWordBits));
        }
    }

    /// Makes sure that the earliest event is on top of front_ or of overflow_.
    void open_next_bucket() {
        if (!front_.empty() || summary_ == 0) {
            return;
        }
        const std::uint64_t bucket = next_bucket();
        if (!overflow_.empty() && overflow_.front().at < start_of(bucket)) {
            return;  // opening it now would send all that is posted until then to front_
        }
        const std::size_t slot = slot_of(bucket);
        for (std::uint32_t index = heads_[slot]; index != kNone;) {
            Node& node = nodes_[index];
            front_.push_back(node.event);
            const std::uint32_t next = node.next;
            node.next = free_;
            free_ = index;
            index = next;
        }
        std::make_heap(front_.begin(), front_.end(), later);
        clear(slot);
        current_ = bucket;
    }

    bool pop_crowded(Time limit, Event& out) {
        open_next_bucket();
        const bool from_overflow = !overflow_.empty() && (front_.empty() || before(overflow_.front(), front_.front()));
        std::vector<Event>& heap = from_overflow ? overflow_ : front_;
        if (heap.empty() || heap.front().at > limit) {
            return false;
        }
        out = pop_heap(heap);
        current_ = std::max(current_, bucket_of(out.at));  // the wheel has nothing before it: see open_next_bucket()
        --size_;
        return true;
    }

    void grow() {
        const std::size_t old_size = nodes_.size();
        const std::size_t new_size = std::max<std::size_t>(1024, 2 * old_size);
        FTLAB_CHECK(new_size < kNone, "too many pending events");
        nodes_.resize(new_size);
        for (std::size_t i = new_size; i-- > old_size;) {
            nodes_[i].next = free_;
            free_ = static_cast<std::uint32_t>(i);
        }
    }

    std::uint64_t current_ = 0;
    std::uint64_t summary_ = 0;
    std::size_t size_ = 0;
    std::uint32_t free_ = kNone;
    std::vector<Node> nodes_;
    std::vector<Event> front_;
    std::vector<Event> overflow_;
    std::array<std::uint64_t, kWords> occupied_{};
    std::array<std::uint32_t, kBuckets> heads_;
};

inline void Calendar::check_invariants() const {
    FTLAB_CHECK(std::is_heap(front_.begin(), front_.end(), later), "the front is not a heap");
    FTLAB_CHECK(std::is_heap(overflow_.begin(), overflow_.end(), later), "the overflow is not a heap");
    for (const Event& event : front_) {
        FTLAB_CHECK(bucket_of(event.at) <= current_, "an event of the wheel is in front of it");
    }
    std::size_t in_wheel = 0;
    for (std::size_t slot = 0; slot < kBuckets; ++slot) {
        const bool marked = ((occupied_[slot / kWordBits] >> (slot % kWordBits)) & 1U) != 0;
        FTLAB_CHECK(marked == (heads_[slot] != kNone), "the occupancy of a bucket is marked wrongly");
        for (std::uint32_t index = heads_[slot]; index != kNone; index = nodes_[index].next) {
            const std::uint64_t bucket = bucket_of(nodes_[index].event.at);
            FTLAB_CHECK(slot_of(bucket) == slot, "an event is in another bucket's list");
            FTLAB_CHECK(bucket > current_ && bucket < current_ + kBuckets, "an event is outside the wheel's horizon");
            ++in_wheel;
        }
    }
    for (std::size_t word = 0; word < kWords; ++word) {
        FTLAB_CHECK((((summary_ >> word) & 1U) != 0) == (occupied_[word] != 0), "the summary does not match its word");
    }
    FTLAB_CHECK(in_wheel + front_.size() + overflow_.size() == size_, "events were lost or doubled");
}

}  // namespace ftlab::controller
