#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/phrase_lattice.hpp"
#include "search/target_automaton.hpp"

namespace pentaglot {

// Which rules of a phrase may come next, and the place of an automaton that they lead to.
class PhraseChoices {
  public:
    struct Choice {
        std::uint32_t place;
        std::span<const std::uint32_t> rules;  // best first
    };

    // Without an automaton all rules lead to place 0. With one, of the rules that lead to the same place the best
    // `most` are taken (0: all). Nothing is owned.
    PhraseChoices(const RuleTable& table, const PhraseLattice& phrases, const TargetAutomaton* automaton,
                  std::uint32_t most);

    bool constrained() const { return automaton_ != nullptr; }
    bool accepts(std::uint32_t place) const { return automaton_ == nullptr || automaton_->accepts(place); }
    std::size_t places() const { return automaton_ == nullptr ? 1 : automaton_->places(); }
    // The choices at a place, for options of the lattice.
    std::span<const Choice> from(const PhraseGroup& options, std::uint32_t place);

  private:
    std::vector<Choice> read(const PhraseGroup& options, std::uint32_t place);

    const RuleTable& table_;
    const PhraseGroup* first_;
    const TargetAutomaton* automaton_;
    std::uint32_t most_;
    std::unordered_map<std::size_t, std::vector<Choice>> known_;  // by options and place
    std::deque<std::vector<std::uint32_t>> lists_;                // the choices refer to them
};

}  // namespace pentaglot
