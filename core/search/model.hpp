#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/vocabulary.hpp"
#include "forest/forest.hpp"
#include "lm/model.hpp"
#include "rules/rule_table.hpp"
#include "search/target_ngrams.hpp"
#include "search/trigger_pairs.hpp"

namespace pentaglot {

constexpr FeatureId no_feature = UINT32_MAX;

// A language model in a search: the ids of target words in it, and its features. Several target words may have one id,
// as in a model over classes of words.
struct LanguageUse {
    const lm::LanguageModel* model = nullptr;
    std::span<const WordId> ids;          // the decoder's target ids -> the model's
    std::span<const WordId> further_ids;  // the same for the target words of this sentence alone
    FeatureId feature = no_feature;       // the logarithm of the chance of the words
    FeatureId unknown = no_feature;       // how many words the model does not know

    // Words beyond the vocabulary (copied from the input) are unknown to the model unless further_ids has them.
    WordId id(Symbol word) const {
        const auto number = static_cast<std::size_t>(word);
        if (number < ids.size()) return ids[number];
        const std::size_t further = number - sentence_words;
        return number >= sentence_words && further < further_ids.size() ? further_ids[further] : SpecialWord::unknown;
    }
};

// Classes of target words, and the feature of every pair of neighbours by their classes. The beginning of a sentence
// and its end are classes of their own, the last two.
struct ClassPairs {
    std::span<const std::uint32_t> classes;  // by target word; words beyond them are of class 0
    std::span<const FeatureId> features;     // [class of the first * number of classes + class of the second]
    std::uint32_t count = 0;                 // of classes; 0: no such features
};

// What every search scores with, besides the rules' own features. Owns nothing but its lists.
struct SearchModel {
    std::span<const double> weights;                              // by feature id
    std::span<const std::pair<std::string, FeatureId>> features;  // those of the search that are wanted, by name
    std::vector<LanguageUse> languages;
    ClassPairs class_pairs;
    std::vector<const TargetNgrams*> ngrams;
    std::vector<const TriggerPairs*> triggers;
    // Features, and further ones that have the same values in this sentence: their products with what is known of the
    // input, such as its domain. Sorted. The weights of the former already include those of the latter.
    std::span<const std::pair<FeatureId, FeatureId>> conjoined;

    double weight(FeatureId id) const { return id < weights.size() ? weights[id] : 0.0; }
    FeatureId feature(std::string_view name) const {
        for (const auto& [known, id] : features) {
            if (known == name) return id;
        }
        return no_feature;
    }
};

}  // namespace pentaglot
