#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/extract.hpp"
#include "rules/rule_table.hpp"
#include "search/feature_set.hpp"
#include "search/graph.hpp"
#include "search/limits.hpp"
#include "search/rows.hpp"

namespace pentaglot {

// The rules of every pattern with their scores, best first by their estimates, which include features with state.
class RankedRules {
  public:
    RankedRules(const RuleTable& table, std::span<const double> weights, const FeatureSet& features, std::uint32_t most,
                const Watch& watch);

    std::span<const std::uint32_t> rules(std::size_t pattern) const {
        return std::span(order_).subspan(offsets_[pattern], offsets_[pattern + 1] - offsets_[pattern]);
    }
    float score(std::uint32_t rule) const { return scores_[rule]; }        // weighted features
    float estimate(std::uint32_t rule) const { return estimates_[rule]; }  // with the estimates of features with state

  private:
    std::vector<float> scores_, estimates_;
    std::vector<std::uint32_t> order_, offsets_;
};

// Combinations of rules and items, all lists best first. No rules: the tails are glued, or see `origin`.
struct Cube {
    std::span<const std::uint32_t> rules;
    std::array<std::span<const std::uint32_t>, max_gaps> tails;
    std::uint32_t tail_count = 0;
    float input = 0;                          // scores of the input words that the pattern matched
    std::uint32_t origin = EdgeOrigin::glue;  // if there are no rules
};

// Finds about the best combinations of some cubes. A combination is first ranked by an estimate; only when it comes to
// the top are the features with state asked, and it may sink again.
class CubePruner {
  public:
    // Items and edges go into `graph`; nothing is owned.
    CubePruner(const RuleTable& table, const FeatureSet& features, const RankedRules& ranked, float glue_weight,
               SearchGraph& graph, Watch& watch);

    // Makes at most `pops` edges, fewer if time runs out, between the input nodes `begin` and `end`. Returns the items
    // that they lead to, best first. Edges that lead to equal states share an item.
    std::vector<std::uint32_t> fill(std::span<const Cube> cubes, std::uint32_t pops, std::uint32_t begin,
                                    std::uint32_t end);

    // Adds the beginning of the sentence, which has no tails.
    std::uint32_t add_start();
    // Adds an item where all translations end, with an edge from each of these.
    std::uint32_t add_goal(std::span<const std::uint32_t> ends, std::uint32_t last_node);

  private:
    struct Candidate {
        float score;  // known when there is a row
        std::uint32_t cube;
        std::uint32_t row;                           // computed by the features with state, or `unscored`
        std::array<std::uint32_t, max_gaps + 1> at;  // first the rule, then the tails
    };
    static constexpr std::uint32_t unscored = UINT32_MAX;
    // What the heap moves is small: the candidates themselves stay where they are.
    struct Ranked {
        float priority;
        std::uint32_t candidate;
    };
    bool lower(const Ranked& one, const Ranked& other) const;

    static std::uint32_t origin(const Cube& cube, const Candidate& candidate) {
        return cube.rules.empty() ? cube.origin : cube.rules[candidate.at[0]];
    }
    void push(const Ranked& ranked);
    void pop();
    void sink_top();
    void add(const Cube& cube, const Candidate& candidate);
    void add_successors(const Cube& cube, Candidate candidate);
    void ask_features(const Cube& cube, Candidate& candidate);
    float score_without_features(const Cube& cube, const Candidate& candidate, bool estimate) const;
    HypothesisStep step(const Cube& cube, const Candidate& candidate) const;
    FeatureSet::TailStates tail_states(const Cube& cube, const Candidate& candidate) const;
    void accept(const Cube& cube, const Candidate& candidate, std::vector<std::uint32_t>& made);
    std::uint32_t add_item(const std::byte* state);
    std::uint32_t item_with(const std::byte* state, std::vector<std::uint32_t>& made);

    const RuleTable& table_;
    const FeatureSet& features_;
    const RankedRules& ranked_;
    SearchGraph& graph_;
    Watch& watch_;
    float glue_weight_;
    std::uint32_t begin_ = 0, end_ = 0;  // of the cell at hand
    Rows item_states_;
    std::vector<Ranked> heap_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> free_candidates_;  // places among them
    RowPool rows_;                                // of candidates
    std::vector<std::uint32_t> slots_;            // hash table of the items made in this cell
    std::vector<FeatureValue> sparse_;            // of the edge at hand
};

}  // namespace pentaglot
