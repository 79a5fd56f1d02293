#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/forest.hpp"

namespace pentaglot {

// N-grams of target words, or of classes of them, each with a feature. Words have numbers of their own here; 0 is any
// word that is in no n-gram.
class TargetNgrams {
  public:
    static constexpr std::uint32_t longest = 4;
    static constexpr std::int32_t start = 1, end = 2;  // of a sentence
    static constexpr FeatureId none = UINT32_MAX;

    // `numbers` has the number of each target word. Throws Error unless each n-gram has two to `order` words, with
    // positive numbers, and is there once; or if there are so many words that an n-gram does not fit into 64 bits (more
    // than 65,535 for four words).
    TargetNgrams(std::uint32_t order, std::vector<std::uint32_t> numbers, std::span<const std::uint64_t> offsets,
                 std::span<const std::int32_t> words, std::span<const FeatureId> ids);

    std::size_t order() const { return order_; }
    std::int32_t number(Symbol word) const {
        const auto at = static_cast<std::size_t>(word);
        return at < numbers_.size() ? static_cast<std::int32_t>(numbers_[at]) : 0;
    }
    // Whether an n-gram has the word before others, and after others.
    bool begins(std::int32_t word) const { return (places_[static_cast<std::size_t>(word)] & 1U) != 0; }
    bool ends(std::int32_t word) const { return (places_[static_cast<std::size_t>(word)] & 2U) != 0; }
    // An n-gram as a number: begin with 0, and add its words from the last to the first.
    std::uint64_t extended(std::uint64_t key, std::int32_t word, std::size_t size) const {
        return key | static_cast<std::uint64_t>(word) << (bits_ * size);
    }
    FeatureId find(std::uint64_t key) const {
        for (std::size_t at = slot(key);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].key == key) return slots_[at].id;
            if (slots_[at].key == 0) return none;
        }
    }

  private:
    struct Slot {
        std::uint64_t key = 0;  // 0: a free slot
        FeatureId id = none;
    };
    std::size_t slot(std::uint64_t key) const {
        return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> shift_);
    }

    std::uint32_t order_, bits_, shift_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint8_t> places_;  // by number
    std::vector<Slot> slots_;           // at most half full: looking up takes a fifth of the time of a general table
};

}  // namespace pentaglot
