#pragma once

#include <cstdint>
#include <span>

#include "rules/rule_table.hpp"

namespace pentaglot {

// Words that must come through translation unchanged, with a code for what each of them is. Codes are added up, so that
// a word may hold several placeables; they should be random, so that different sums mean different placeables.
struct PlaceableWords {
    std::span<const Symbol> symbols;  // in ascending order
    std::span<const std::uint64_t> codes;
};

// Removes rules whose two sides do not have the same placeables, and patterns that are left without rules. Rules whose
// feature `exempt` is not 0 stay.
void keep_placeables(RuleTable& table, PlaceableWords source, PlaceableWords target, FeatureId exempt);

}  // namespace pentaglot
