#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "forest/forest.hpp"

namespace pentaglot {

// Pairs of target words, each with a feature: how often the first is somewhere before the second. Words have numbers of
// their own here; 0 is any word that is in no pair.
class TriggerPairs {
  public:
    static constexpr FeatureId none = UINT32_MAX;
    static constexpr std::uint32_t most_words = UINT16_MAX;

    // `numbers` has the number of each target word. Throws Error unless both words of every pair have numbers from 1 to
    // 65,535, and each pair is there once.
    TriggerPairs(std::vector<std::uint32_t> numbers, std::span<const std::uint32_t> firsts,
                 std::span<const std::uint32_t> seconds, std::span<const FeatureId> ids);

    std::uint16_t number(Symbol word) const {
        const auto at = static_cast<std::size_t>(word);
        return at < numbers_.size() ? static_cast<std::uint16_t>(numbers_[at]) : std::uint16_t{0};
    }
    // Whether a pair begins with the word.
    bool triggers(std::uint16_t word) const { return word < triggers_.size() && triggers_[word] != 0; }
    FeatureId find(std::uint16_t first, std::uint16_t second) const {
        const auto known = ids_.find(std::uint32_t{first} << 16U | second);
        return known == ids_.end() ? none : known->second;
    }

  private:
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint8_t> triggers_;  // by number
    std::unordered_map<std::uint32_t, FeatureId> ids_;
};

}  // namespace pentaglot
