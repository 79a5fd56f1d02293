#pragma once

#include "search/features/feature.hpp"

namespace pentaglot {

// What a language model thinks of the words, and how many of them it does not know; one feature for each model of the
// search.
struct LanguageModelFeatures {
    static void make(const FeatureContext& context, FeatureList& list);
};

}  // namespace pentaglot
