#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "forest/forest.hpp"

namespace pentaglot {

// A part of a constrained translation: it is said from one place to another. A part without words is at no place in
// particular.
struct Stretch {
    static constexpr std::uint32_t anywhere = UINT32_MAX;

    std::uint32_t begin = anywhere;
    std::uint32_t end = anywhere;

    static Stretch empty() { return {}; }
    bool is_empty() const { return begin == anywhere; }
    friend auto operator<=>(const Stretch&, const Stretch&) = default;
};

// What a translation must say: for each place the words of which one has to stand there. After the last place anything
// may follow (the translation of which this is the beginning) or nothing (a reference).
class TargetConstraint {
  public:
    static constexpr std::uint32_t nowhere = UINT32_MAX;

    TargetConstraint(std::vector<std::vector<Symbol>> words, bool open_end);

    // The place where everything has been said.
    std::uint32_t end() const { return end_; }
    // The place after a word, or after some; `nowhere` if they may not stand there.
    std::uint32_t after(std::uint32_t place, Symbol word) const;
    std::uint32_t after(std::uint32_t place, std::span<const Symbol> words) const;

    // Where a word may stand.
    std::span<const std::uint32_t> places_of(Symbol word) const {
        const auto known = by_word_.find(word);
        return known == by_word_.end() ? elsewhere_ : known->second;
    }
    // Whether a target side could be a stretch with any gaps at all.
    bool possible(std::span<const Symbol> target) const;

  private:
    std::uint32_t end_;
    bool open_end_;
    std::vector<std::vector<Symbol>> words_;                          // sorted
    std::unordered_map<Symbol, std::vector<std::uint32_t>> by_word_;  // the places of every word
    std::vector<std::uint32_t> elsewhere_;                            // those of all other words
};

// How many translations of a pattern are ranked if so many shall be tried: all (0) under a constraint, because those
// that it rules out must not use up the number.
inline std::uint32_t ranked_translations(std::uint32_t tried, const TargetConstraint* constraint) {
    return constraint == nullptr ? tried : 0;
}

}  // namespace pentaglot
