#pragma once

#include <cstddef>
#include <vector>

#include "order/grammar.hpp"
#include "order/training_sentences.hpp"

namespace pentaglot {

// How often the rules of a grammar are expected in the trees of some sentences, in the layout of its parameters.
struct ExpectedCounts {
    std::vector<double> slots;
    std::vector<double> words;
    double log_likelihood = 0.0;  // natural, over all sentences that have a tree of any probability
    std::size_t impossible = 0;   // sentences whose trees all have probability 0
};

// The expectation step over sentences [first, last); if `hard`, only the best tree of each sentence counts. The result
// does not depend on `threads`.
ExpectedCounts expected_counts(const TrainingSentences& sentences, const GrammarView& grammar, std::size_t first,
                               std::size_t last, bool hard, unsigned threads);

}  // namespace pentaglot
