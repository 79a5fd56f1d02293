#include "search/features/registry.hpp"

#include <array>

#include "search/features/class_pairs.hpp"
#include "search/features/distortion.hpp"
#include "search/features/expected_precedence.hpp"
#include "search/features/input_scores.hpp"
#include "search/features/language_model.hpp"
#include "search/features/phrase_gaps.hpp"
#include "search/features/reordering.hpp"
#include "search/features/repeated_words.hpp"
#include "search/features/target_ngrams.hpp"
#include "search/features/trigger_pairs.hpp"

namespace pentaglot {

namespace {

// One line for each kind of feature; it makes as many of them as the search needs, or none.
using Make = void (*)(const FeatureContext&, FeatureList&);
constexpr std::array kinds{
    Distortion::make,             //
    InputScores::make,            //
    Reordering::make,             //
    LanguageModelFeatures::make,  //
    RepeatedWords::make,          //
    ClassPairFeatures::make,      //
    PhraseGaps::make,             //
    TargetNgramFeatures::make,    //
    TriggerFeatures::make,        //
    ExpectedPrecedence::make,     //
};

}  // namespace

FeatureList make_features(const FeatureContext& context) {
    FeatureList list;
    for (const Make make : kinds) make(context, list);
    return list;
}

}  // namespace pentaglot
