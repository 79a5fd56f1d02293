#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "lm/model.hpp"
#include "rules/letter_pairs.hpp"

namespace pentaglot {

// Spells words in another script: unit by unit, with a language model of units.
class LetterSearch {
  public:
    static constexpr std::size_t longest_written = 16;

    struct Spelt {
        std::vector<Letter> letters;
        float score;  // the logarithm, to base 10, of the chance of word and spelling together, by their best units
    };

    // Units by their ids in the language model, from `first` on; each has letters on its source side. Throws Error if
    // the arrays contradict each other.
    LetterSearch(SpeltWords source, SpeltWords target, WordId first);

    std::size_t size() const { return targets_.size(); }

    // Up to `most` different spellings of a word, the best first, equals in the order of their letters. At every letter
    // of the word the best `beam` beginnings go on; of those that are spelt alike and that the language model cannot
    // tell apart, only the best.
    std::vector<Spelt> spell(std::span<const Letter> word, const lm::LanguageModel& language, std::size_t most,
                             std::size_t beam) const;

  private:
    std::unordered_map<std::uint64_t, std::vector<WordId>> by_source_;
    std::vector<std::vector<Letter>> targets_;
    WordId first_;
};

}  // namespace pentaglot
