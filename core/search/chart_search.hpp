#pragma once

#include <cstdint>

#include "rules/rule_table.hpp"
#include "search/graph.hpp"
#include "search/input.hpp"
#include "search/limits.hpp"
#include "search/model.hpp"
#include "search/target_automaton.hpp"
#include "search/whole_labels.hpp"

namespace pentaglot {

// The caller sets every field; the defaults are in SearchOptions of the Python package.
struct ChartOptions {
    std::uint32_t max_span;      // most words that a rule may cover; longer parts are joined by glue
    std::uint32_t min_gap;       // fewest words that a gap covers
    std::uint32_t pop_limit;     // most hypotheses made for each cell of the chart
    std::uint32_t translations;  // most translations to try for each pattern, the best first; 0: all
    bool growing;                // cube growing: make hypotheses only when they are asked for (not under an automaton)
    WholeLabels labels;          // of parts of a translation
    bool whole_forest;           // keep all that was found, not only the best derivation
};

// Translates by synchronous rules: a chart of cells filled bottom-up by cube pruning (Chiang 2007; Huang and Chiang
// 2007), glued together from left to right. Throws Error if the rules cannot cover the input, if the words of a rule
// are not adjacent, or when it is cancelled. With `growing`, cube growing takes the place of cube pruning (not under an
// automaton). Under an automaton, items that say different parts of it are kept apart, and each kind has a pop limit of
// its own.
SearchOutcome search_chart(const Input& input, const RuleTable& table, const SearchModel& model,
                           const ChartOptions& options, const SearchLimits& limits,
                           const TargetAutomaton* automaton = nullptr);

}  // namespace pentaglot
