#pragma once

#include "search/features/feature.hpp"

namespace pentaglot {

// The score of the words by a language model, and how many of them it does not know; one such feature for each model of
// the search.
struct LanguageModelFeatures {
    static void make(const FeatureContext& context, FeatureList& list);
};

}  // namespace pentaglot
