#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "corpus/vocabulary.hpp"
#include "forest/forest.hpp"
#include "lm/model.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// Natural logarithms are what features hold; the language model speaks in powers of ten.
constexpr float ln10 = 2.302585093F;

// What every search scores with, besides the rules' own features. Does not own anything.
struct SearchModel {
    static constexpr FeatureId no_feature = UINT32_MAX;

    std::span<const double> weights;              // by feature id
    const lm::LanguageModel* language = nullptr;  // none: only the rules count
    std::span<const WordId> language_ids;         // the decoder's target ids -> the language model's
    std::span<const WordId> further_ids;          // the same for the target words of this sentence alone
    FeatureId language_feature = 0;
    FeatureId glue_feature = 0;
    FeatureId distortion_feature = 0;
    FeatureId input_feature = no_feature;            // scores of the words of an input lattice
    std::array<FeatureId, 6> reordering_features{};  // before: monotone, swapped, discontinuous; after: the same

    double weight(FeatureId id) const { return id < weights.size() ? weights[id] : 0.0; }
    float language_weight() const {
        return language == nullptr ? 0.0F : static_cast<float>(weight(language_feature)) * ln10;
    }
    // log10 of the chance that the sentence ends after some words; 0 without a language model.
    float score_of_end(const lm::State& before) const {
        lm::State after;
        return language == nullptr ? 0.0F : language->score(before, SpecialWord::end, after);
    }
    // Words beyond the vocabulary (copied from the input) are unknown to the language model unless it is told.
    WordId language_id(Symbol word) const {
        const auto id = static_cast<std::size_t>(word);
        if (id < language_ids.size()) return language_ids[id];
        const std::size_t further = id - sentence_words;
        return id >= sentence_words && further < further_ids.size() ? further_ids[further] : SpecialWord::unknown;
    }
};

}  // namespace pentaglot
