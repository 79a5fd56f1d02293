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
    std::uint32_t max_span;          // words of a phrase
    std::uint32_t distortion_limit;  // how many words the search may jump over
    std::uint32_t pop_limit;         // hypotheses made for each number of covered words
    std::uint32_t stack_size;        // hypotheses kept of them
    float threshold;                 // those worse than the best by more than this are dropped; 0: none
    std::uint32_t translations;      // most translations to try for the same words, the best first; 0: all
    WholeLabels labels;              // that parts of a translation may have
    bool whole_forest;               // keep all that was found, not only the best derivation
};

// Translates by phrases in any order within the distortion limit: stacks of hypotheses by number of covered words
// (Koehn 2004), filled by cube pruning (Huang and Chiang 2007). The words of a phrase need not be neighbours: one with
// places covers just these. Its place is then from its first word to its last, and after it the first word that is left
// must lie within the distortion limit. Throws Error if the rules cannot cover the input, or
// when it is cancelled. Under an automaton, hypotheses at different places of it have stacks of their own.
SearchOutcome search_stacks(const Input& input, const RuleTable& table, const SearchModel& model,
                            const StackOptions& options, const SearchLimits& limits,
                            const TargetAutomaton* automaton = nullptr);

}  // namespace pentaglot
