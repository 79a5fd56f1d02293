#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "corpus/vocabulary.hpp"
#include "forest/forest.hpp"
#include "lm/model.hpp"

namespace pentaglot {

// Natural logarithms are what features hold; the language model speaks in powers of ten.
constexpr float ln10 = 2.302585093F;

// What every search scores with, besides the rules' own features. Does not own anything.
struct SearchModel {
    std::span<const double> weights;              // by feature id
    const lm::LanguageModel* language = nullptr;  // none: only the rules count
    std::span<const WordId> language_ids;         // the decoder's target ids -> the language model's
    FeatureId language_feature = 0;
    FeatureId glue_feature = 0;
    FeatureId distortion_feature = 0;
    std::array<FeatureId, 6> reordering_features{};  // before: monotone, swapped, discontinuous; after: the same

    double weight(FeatureId id) const { return id < weights.size() ? weights[id] : 0.0; }
    float language_weight() const {
        return language == nullptr ? 0.0F : static_cast<float>(weight(language_feature)) * ln10;
    }
    // Words beyond the vocabulary (copied from the input) are unknown to the language model.
    WordId language_id(Symbol word) const {
        const auto id = static_cast<std::size_t>(word);
        return id < language_ids.size() ? language_ids[id] : SpecialWord::unknown;
    }
};

}  // namespace pentaglot
