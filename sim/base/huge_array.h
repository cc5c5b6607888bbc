// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <sys/mman.h>

namespace ftlab {

/// A fixed-size array of plain values on transparent huge pages, zero at birth and paid for page by page as it is
/// touched.  For the maps of a drive: random access into 250 MB costs a TLB miss a look-up on 4 KiB pages (792 against
/// 523 ns per host I/O on the 256 GB prototype, systemc.md section 6).
template <class T>
class HugeArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    HugeArray() = default;
    explicit HugeArray(std::size_t size) : size_{size} {
        if (size == 0) {
            return;
        }
        void* p = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) {
            throw std::bad_alloc{};
        }
        if (bytes() >= kHugePage) {
            ::madvise(p, bytes(), MADV_HUGEPAGE);  // advice only: without huge pages all still works
        }
        data_ = static_cast<T*>(p);
    }
    HugeArray(const HugeArray&) = delete;
    HugeArray& operator=(const HugeArray&) = delete;
    HugeArray(HugeArray&& other) noexcept
        : data_{std::exchange(other.data_, nullptr)}, size_{std::exchange(other.size_, 0)} {}
    HugeArray& operator=(HugeArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~HugeArray() {
        if (data_ != nullptr) {
            ::munmap(data_, bytes());
        }
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    [[nodiscard]] const T* begin() const { return data_; }
    [[nodiscard]] const T* end() const { return data_ + size_; }

private:
    static constexpr std::size_t kHugePage = 2U << 20U;
    [[nodiscard]] std::size_t bytes() const {
        const std::size_t raw = size_ * sizeof(T);
        return raw < kHugePage ? raw : (raw + kHugePage - 1) / kHugePage * kHugePage;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace ftlab
