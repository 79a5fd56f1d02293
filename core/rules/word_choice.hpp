#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

// The clues that were learnt (see word_choice_learner.hpp), and for each target word a value that it has without any.
// It looks into arrays that may come from a file.
struct WordChoice {
    std::span<const std::uint64_t> rows;
    std::span<const WordId> targets;
    std::span<const float> weights;
    std::span<const float> alone;
};

// What the distinct words of a sentence say of each target word: its value alone, and the weights of its clues. Throws
// Error if the arrays do not belong together.
std::vector<float> weigh_target_words(const WordChoice& choice, std::span<const WordId> sentence);

// For every rule the sum of the values of its target words; words beyond the values have none.
std::vector<float> sum_target_values(const RuleTable& table, std::span<const float> values);

}  // namespace pentaglot
