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
struct StackOptions {
    std::uint32_t max_span;          // most words of a phrase
    std::uint32_t distortion_limit;  // how many words the search may jump over
    std::uint32_t pop_limit;         // most hypotheses made for each number of covered words
    std::uint32_t stack_size;        // most hypotheses kept of them
    float threshold;                 // those worse than the best by more than this are dropped; 0: none
    std::uint32_t translations;      // most translations to try for the same words, the best first; 0: all
    WholeLabels labels;              // of parts of a translation
    bool whole_forest;               // keep all that was found, not only the best derivation
};

// Translates by phrases in any order within the distortion limit: stacks of hypotheses by number of covered words
// (Koehn 2004), filled by cube pruning (Huang and Chiang 2007). The words of a phrase need not be adjacent: one with
// places covers just these. For distances it then reaches from its first word to its last, and the first word that it
// leaves uncovered must lie within the distortion limit. Throws Error if the rules cannot cover the input, or when it
// is cancelled. Under an automaton, hypotheses at different places of it have stacks of their own.
SearchOutcome search_stacks(const Input& input, const RuleTable& table, const SearchModel& model,
                            const StackOptions& options, const SearchLimits& limits,
                            const TargetAutomaton* automaton = nullptr);

}  // namespace pentaglot
