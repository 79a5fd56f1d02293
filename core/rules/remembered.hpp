#pragma once

#include <span>

#include "rules/rule_table.hpp"

namespace pentaglot {

// A sentence pair that a person gave: what it weighs as one rule over the whole sentence.
struct RememberedFeatures {
    FeatureId remembered;  // the number of words of both sides
    FeatureId rules;
    FeatureId words;
};

// Makes sure that the table has the rule source -> target, words only, and marks it as remembered.
void remember(RuleTable& table, std::span<const Symbol> source, std::span<const Symbol> target,
              std::span<const RuleLink> links, float count, Sighting where, const RememberedFeatures& features);

}  // namespace pentaglot
