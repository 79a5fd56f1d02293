#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/forest.hpp"
#include "rules/key_table.hpp"

namespace pentaglot {

// N-grams of target words, or of classes of them, each with a feature. Words have numbers of their own here: 0 is any
// word that is in none of them.
class TargetNgrams {
  public:
    static constexpr std::uint32_t longest = 4;
    static constexpr std::int32_t start = 1, end = 2;  // of a sentence
    static constexpr FeatureId none = UINT32_MAX;

    // `numbers` has that of each target word. Throws Error unless there are two to `order` words in each n-gram, with
    // positive numbers, and each n-gram is there once.
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
    FeatureId find(std::span<const std::int32_t> words) const;

  private:
    std::uint32_t order_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint8_t> places_;  // by number
    KeyTable keys_;
    std::vector<FeatureId> ids_;
};

}  // namespace pentaglot
