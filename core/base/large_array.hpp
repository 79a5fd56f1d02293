#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "base/parallel.hpp"

namespace pentaglot {

// An array whose memory is not touched when it is made, unlike a vector's, but by the threads that fill it. Reading an
// element that was never written is an undetected error.
template <typename T>
class LargeArray {
  public:
    LargeArray() = default;
    explicit LargeArray(std::size_t size) : numbers_(std::make_unique_for_overwrite<T[]>(size)), size_(size) {}
    // Filled with one value.
    LargeArray(std::size_t size, const T& value, unsigned threads) : LargeArray(size) {
        constexpr std::size_t together = std::size_t{1} << 16;
        parallel_for((size + together - 1) / together, threads, [&](std::size_t shard, unsigned) {
            std::fill(begin() + shard * together, begin() + std::min(size, (shard + 1) * together), value);
        });
    }

    T* begin() { return numbers_.get(); }
    T& operator[](std::size_t at) { return numbers_[at]; }
    const T& operator[](std::size_t at) const { return numbers_[at]; }
    std::span<const T> all() const { return {numbers_.get(), size_}; }

  private:
    std::unique_ptr<T[]> numbers_;
    std::size_t size_ = 0;
};

}  // namespace pentaglot
