#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

// What was learnt (see word_choice_learner.hpp). A view of arrays that may come from a file.
struct WordChoice {
    std::span<const std::uint64_t> rows;
    std::span<const WordId> targets;
    std::span<const float> weights;
    std::span<const float> biases, priors;
};

// How far the distinct words of a sentence move the log-odds of each target word away from its prior. Throws Error if
// the arrays do not belong together.
std::vector<float> moved_odds(const WordChoice& choice, std::span<const WordId> sentence);

struct WordChoiceColumns {
    std::vector<float> moves;    // for every rule the sum of the moved_odds() of its target words
    std::vector<float> chances;  // for every rule the sum of the logarithms of their chances
};

// Words that `choice` does not know add nothing.
WordChoiceColumns choose_words(const RuleTable& table, const WordChoice& choice, std::span<const WordId> sentence);

}  // namespace pentaglot
