#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/target_automaton.hpp"

namespace pentaglot {

// What a translation must say: for each place, the words of which one must stand there. After the last place anything
// may follow (for a given beginning) or nothing (for a reference).
class TargetConstraint final : public TargetAutomaton {
  public:
    TargetConstraint(std::vector<std::vector<Symbol>> words, bool open_end);

    std::uint32_t places() const override { return end_ + 1; }
    bool accepts(std::uint32_t place) const override { return place == end_; }
    using TargetAutomaton::after;
    std::uint32_t after(std::uint32_t place, Symbol word) const override;
    std::span<const std::uint32_t> places_of(Symbol word) const override {
        const auto known = by_word_.find(word);
        return known == by_word_.end() ? elsewhere_ : known->second;
    }

  private:
    std::uint32_t end_;  // the place where everything has been said
    bool open_end_;
    std::vector<std::vector<Symbol>> words_;                          // sorted
    std::unordered_map<Symbol, std::vector<std::uint32_t>> by_word_;  // the places of every word
    std::vector<std::uint32_t> elsewhere_;                            // the places of all other words
};

}  // namespace pentaglot
