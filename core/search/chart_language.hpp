#pragma once

#include <cstdint>

#include "lm/chart.hpp"
#include "rules/rule_table.hpp"
#include "search/graph.hpp"
#include "search/model.hpp"

namespace pentaglot {

// What the language model says about the items of a chart; without one all states are equal and all scores 0.

// The empty translation of nothing, after the beginning of the sentence.
inline lm::ChartState state_of_beginning(const SearchModel& model) {
    if (model.language == nullptr) return {};
    lm::ChartScorer scorer(*model.language);
    scorer.begin_sentence();
    return scorer.state();
}

// The score (log10) that is added when a rule joins its tails, or when glue does; `state` becomes that of the whole.
// `state_of` gives the state of each tail.
template <typename StateOf>
float score_joined(const SearchModel& model, const RuleTable& table, std::uint32_t origin, std::uint32_t tail_count,
                   const StateOf& state_of, lm::ChartState& state) {
    if (model.language == nullptr) return 0;
    lm::ChartScorer scorer(*model.language);
    if (EdgeOrigin::is_rule(origin)) {
        for (const Symbol symbol : table.target(origin)) {
            if (is_tail(symbol)) {
                scorer.stretch(state_of(static_cast<std::uint32_t>(tail_of(symbol))));
            } else {
                scorer.word(model.language_id(symbol));
            }
        }
    } else {
        for (std::uint32_t tail = 0; tail < tail_count; ++tail) scorer.stretch(state_of(tail));
    }
    state = scorer.state();
    return scorer.score();
}

}  // namespace pentaglot
