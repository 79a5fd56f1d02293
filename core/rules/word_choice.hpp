#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

// What was learnt (see word_choice_learner.hpp). It looks into arrays that may come from a file.
struct WordChoice {
    std::span<const std::uint64_t> rows;
    std::span<const WordId> targets;
    std::span<const float> weights;
    std::span<const float> biases, priors;
};

// How far the distinct words of a sentence move the log-odds of each target word from those in any sentence. Throws
// Error if the arrays do not belong together.
std::vector<float> moved_odds(const WordChoice& choice, std::span<const WordId> sentence);

struct WordChoiceColumns {
    std::vector<float> moves;    // for every rule the sum of moved_odds() of its target words
    std::vector<float> chances;  // the same of the logarithms of their chances
};

// Words that the choice does not know count for nothing.
WordChoiceColumns choose_words(const RuleTable& table, const WordChoice& choice, std::span<const WordId> sentence);

}  // namespace pentaglot
