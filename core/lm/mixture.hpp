#pragma once

#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "lm/model.hpp"
#include "lm/ngrams.hpp"

namespace pentaglot::lm {

// One model of a mixture. `ids` maps the ids of the mixture's vocabulary to the model's; a word that the model lacks is
// mapped to SpecialWord::unknown.
struct MixturePart {
    const LanguageModel* model;
    const NGrams* ngrams;
    std::span<const WordId> to_mixture;  // from the model's ids
    std::span<const WordId> ids;
    double weight;
};

// Linear interpolation as one back-off model: its n-grams are those of all parts, each with the weighted sum of the
// parts' probabilities, and its back-off weights are computed anew so that every context sums to one. A word that a
// part lacks has probability zero there, so that the part's <unk> is not counted once for every word it lacks.
NGrams mix(std::span<const MixturePart> parts, std::size_t vocabulary_size, unsigned threads, const Poll& poll);

}  // namespace pentaglot::lm
