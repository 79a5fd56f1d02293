#pragma once

#include <span>

#include "rules/rule_table.hpp"

namespace pentaglot {

// The features of a remembered sentence pair: one that a person gave, as one rule for a whole sentence.
struct RememberedFeatures {
    FeatureId remembered;  // the number of words of both sides
    FeatureId rules;
    FeatureId words;
};

// Makes sure that the table has the rule source -> target, words only, and marks it as remembered.
void remember(RuleTable& table, std::span<const Symbol> source, std::span<const Symbol> target,
              std::span<const RuleLink> links, float count, Sighting where, const RememberedFeatures& features);

}  // namespace pentaglot
