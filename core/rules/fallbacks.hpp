#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

// A way to translate a word that has no rule: like another word, or like several words one after the other.
struct StandIn {
    WordId word;               // of the sentence
    std::vector<WordId> like;  // the word that it is treated like; the parts of a compound
    FeatureId kind;            // is 1 for each of its rules
    float distance = 0;        // to the spelling of the other word
};

struct FallbackFeatures {
    FeatureId distance;
    FeatureId rules;
    FeatureId words;
};

// How many rules of each part of a compound are combined at most: the most frequent, among equals the shortest.
constexpr std::size_t rules_of_part = 3;

// Adds rules for the words of stand-ins, one source side for each, in the given order. They have the target sides,
// features, sightings and orientations of the rules for the words in `like`, which are found in `of_words`; rules for
// compounds have the mean of the features of their parts. If a word in `like` has no rule, nothing is added. Returns
// for each source side that was added the number of its stand-in.
std::vector<std::uint32_t> add_stand_ins(RuleTable& table, const RuleTable& of_words,
                                         std::span<const StandIn> stand_ins, const FallbackFeatures& features);

}  // namespace pentaglot
