#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/limits.hpp"
#include "rules/stored_table.hpp"

namespace pentaglot {

// A pattern of a table that occurs in a sentence.
struct FoundPattern {
    std::uint32_t pattern;
    std::vector<Symbol> source;
};

// All patterns of a table that occur in a sentence within limits, in the order of their numbers: the same that would be
// looked up in an index.
std::vector<FoundPattern> find_patterns(const StoredTable& table, std::span<const WordId> sentence,
                                        const GrammarLimits& limits);

// Which feature is which when rules are taken from a table. A feature that the table has no column for is computed if
// it can be, and has the id `none` if it is not wanted.
struct TableFeatures {
    static constexpr FeatureId none = UINT32_MAX;

    std::vector<FeatureId> columns;  // of the table's columns; none for those that are not features
    FeatureId coherence = none, rules = none, words = none;
};

// The rules of one sentence. `reordering` asks for the orientations, if the table has them.
RuleTable look_up(const StoredTable& table, std::span<const WordId> sentence, const GrammarLimits& limits,
                  const TableFeatures& features, bool reordering);

}  // namespace pentaglot
