#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

// A way to translate a word that has no rule: as another word is translated, or as several are, one after the other.
struct StandIn {
    WordId word;               // of the sentence
    std::vector<WordId> like;  // the word that it is treated like; the parts of a compound
    FeatureId kind;            // 1 for each of the rules
    float distance = 0;        // from the spelling of the other word
};

struct FallbackFeatures {
    FeatureId distance;
    FeatureId rules;
    FeatureId words;
};

// Most rules of each part of a compound to combine: the most frequent, then the shortest.
constexpr std::size_t rules_of_part = 3;

// Adds rules for the words of stand-ins, each a source side of its own, in the order that is given. They have the
// target sides, features, sightings and orientations of the rules for one word in `of_words`; rules of compounds have
// the mean of their parts' features. Where a word that stands in has no rule, nothing is added. Returns for each source
// side that was added the number of its stand-in.
std::vector<std::uint32_t> add_stand_ins(RuleTable& table, const RuleTable& of_words,
                                         std::span<const StandIn> stand_ins, const FallbackFeatures& features);

}  // namespace pentaglot
