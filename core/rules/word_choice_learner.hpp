#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "corpus/text.hpp"

namespace pentaglot {

struct WordChoiceOptions {
    std::uint32_t least_together = 2;  // in how many sentence pairs both words must be
    double least_association = 10;     // log-likelihood ratio (Dunning 1993) of a clue and its word
    std::uint32_t most_clues = 50;     // source words that speak for one target word, at most 255
    double penalty = 0.15;             // on half the square of a weight
    std::uint32_t rounds = 30;         // at most
};

// Which words of a translation the words of a sentence call for, wherever they stand in it (Mauser, Hasan and Ney
// 2009): for each target word a logistic regression whose features, called clues, are source words.
struct LearntWordChoice {
    std::vector<std::uint64_t> rows;  // for each source word the first of its weights; one more at the end
    std::vector<WordId> targets;      // of each weight, ascending for one source word
    std::vector<float> weights;
    std::vector<float> biases;  // for each target word its log-odds in a sentence without clues
    std::vector<float> priors;  // for each target word its log-odds in any sentence
};

// Each regression is solved by itself, so the result is the same with any number of threads.
LearntWordChoice learn_word_choice(const Text& source, const Text& target, std::size_t source_words,
                                   std::size_t target_words, const WordChoiceOptions& options, unsigned threads);

}  // namespace pentaglot
