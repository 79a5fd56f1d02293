#pragma once

#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pentaglot {

// Sums of non-negative numbers as 64-bit integers in fixed point. Adding integers gives the same sum in any order, so
// expected counts come out the same to the last bit with any number of threads.
class FixedPoint {
  public:
    // `largest` bounds every sum. The unit is 2^-52 or larger; for small corpora that is the accuracy of a double.
    explicit FixedPoint(std::uint64_t largest)
        : shift_(std::min(52, 62 - static_cast<int>(std::bit_width(largest)))),
          scale_(std::ldexp(1.0, shift_)),
          unit_(std::ldexp(1.0, -shift_)) {}

    std::int64_t fixed(double value) const { return static_cast<std::int64_t>(value * scale_ + 0.5); }
    double real(std::int64_t value) const { return static_cast<double>(value) * unit_; }

  private:
    int shift_;
    double scale_;
    double unit_;
};

// An array of such sums that many workers add to: each into a copy of its own while the copies are small, otherwise all
// into one by atomic additions.
class SharedCounts {
  public:
    static constexpr std::size_t usual_bytes_in_copies = std::size_t{1} << 30;

    SharedCounts(std::size_t size, unsigned workers, std::size_t most_bytes_in_copies = usual_bytes_in_copies)
        : size_(size) {
        const bool own = size * workers * sizeof(std::int64_t) <= most_bytes_in_copies;
        copies_.resize(own ? workers : 1);
        atomic_ = !own && workers > 1;
        clear();
    }

    // Where a worker adds; call once before its loop, on its own thread: a worker makes its copy zero itself.
    std::int64_t* lane(unsigned worker) {
        Copy& copy = copies_[copies_.size() == 1 ? 0 : worker];
        if (!copy.in_use) copy.begin(size_);
        return copy.counts.data();
    }
    bool atomic() const { return atomic_; }

    // The sum of place `at` over all copies.
    std::int64_t sum(std::size_t at) const {
        std::int64_t total = 0;
        for (const Copy& copy : copies_) total += copy.in_use ? copy.counts[at] : 0;
        return total;
    }
    void clear() {
        for (Copy& copy : copies_) copy.in_use = false;
        if (copies_.size() == 1) copies_[0].begin(size_);  // several workers may share it
    }

  private:
    struct Copy {
        std::vector<std::int64_t> counts;
        bool in_use = false;

        void begin(std::size_t size) {
            counts.assign(size, 0);
            in_use = true;
        }
    };

    std::size_t size_;
    bool atomic_ = false;
    std::vector<Copy> copies_;
};

inline void add_count(std::int64_t& place, std::int64_t amount, bool atomic) {
    if (atomic) {
        std::atomic_ref(place).fetch_add(amount, std::memory_order_relaxed);
    } else {
        place += amount;
    }
}

}  // namespace pentaglot
