#pragma once

#include <cstdint>
#include <span>

#include "rules/rule_table.hpp"

namespace pentaglot {

// The features of a copied word: the copy itself, the rule and its number of words.
struct CopyFeatures {
    FeatureId unknown;  // 1 for a word that has no rule of its own
    FeatureId copied;   // 1 for a word that is copied although it has one
    FeatureId rules;
    FeatureId words;
};

// Adds rules that turn single words of the sentence into given target words (copies[i] for sentence[i], or nothing at
// all where it is `no_copy`): for every word without a rule of its own, and for those marked in `always`, unless the
// table has that very rule.
constexpr WordId no_copy = UINT32_MAX;
void add_copies(RuleTable& table, std::span<const WordId> sentence, std::span<const WordId> copies,
                std::span<const std::uint8_t> always, const CopyFeatures& features);

}  // namespace pentaglot
