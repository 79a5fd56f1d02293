#pragma once

#include <span>

#include "index/source_index.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// Adds to every rule an estimate of the chance of its source side given its target side: log of how often the pair
// occurs, by the sample of the source side, over how often the target side does, which suffix arrays of the target
// texts tell. For a target side with gaps that is the rarest of its runs of words, so that the chance comes out too
// low, but no text has to be searched. Rules of no sample (copies) get 0.
void add_inverse(RuleTable& table, std::span<const SourceIndex* const> targets, FeatureId feature);

}  // namespace pentaglot
