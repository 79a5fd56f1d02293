#pragma once

#include <span>

#include "index/source_index.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// Adds to every rule an estimate of the chance of its source side given its target side: the logarithm of how often the
// pair occurs (estimated from the sample of the source side) over how often the target side occurs (looked up in suffix
// arrays of the target texts). For a target side with gaps, the rarest of its runs of words is counted instead: the
// chance comes out too low, but no text has to be searched. Rules without a sample (copies) get 0.
void add_inverse(RuleTable& table, std::span<const SourceIndex* const> targets, FeatureId feature);

}  // namespace pentaglot
