#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "rules/extract.hpp"
#include "rules/rule_table.hpp"
#include "search/cube.hpp"
#include "search/feature_set.hpp"
#include "search/graph.hpp"
#include "search/limits.hpp"
#include "search/rows.hpp"

namespace pentaglot {

// Ways to make the items of one node from those of others: by rules of one pattern, by glue, as a whole translation, or
// by closing one.
struct GrowthEdge {
    std::uint32_t origin = EdgeOrigin::glue;  // if there are no rules
    std::span<const std::uint32_t> rules;     // best first
    std::array<std::uint32_t, max_gaps> tails{};
    std::uint32_t tail_count = 0;
    float input = 0;
    std::uint32_t begin = 0, end = 0;  // input nodes
};

// Cube growing (Huang and Chiang 2007): the nodes of the chart are known beforehand, without features with state, and
// items are made only when something above asks for them. A combination waits with an estimate until it is scored; an
// item is handed out when no estimate is better than it. The estimates are not bounds, so the order is only about
// right.
class CubeGrower {
  public:
    // At most `pops` edges are made for each node. Nothing is owned.
    CubeGrower(const RuleTable& table, const FeatureSet& features, const RankedRules& ranked, float glue_weight,
               std::uint32_t pops, Watch& watch);

    // A node is added after the tails of its edges.
    std::uint32_t add_node();
    void add_edge(std::uint32_t node, const GrowthEdge& edge) { nodes_[node].edges.push_back(edge); }
    // Adds the beginning of the sentence: a node with one item, which has no tails.
    std::uint32_t add_start();

    // Makes items of the last node: all that the limit allows, or only about the best. Fills the graph, and returns the
    // number of the only item of that node there, if it has one.
    std::optional<std::uint32_t> grow(bool whole, SearchGraph& graph);
    std::size_t made() const { return made_; }

  private:
    struct Candidate {
        float priority;
        std::uint32_t edge;
        std::array<std::uint32_t, max_gaps + 1> at;  // first the rule, then the tails
    };
    struct Waiting {
        float score;
        std::uint32_t item;
    };
    struct Node {
        std::vector<GrowthEdge> edges;
        std::vector<float> corrections;     // by edge: by how much its first combination was better than estimated
        std::vector<Candidate> pending;     // to be pushed when their tails are there
        std::vector<Candidate> candidates;  // heap by estimate
        std::vector<Waiting> buffer;        // heap by score: scored, but not handed out
        std::vector<std::uint32_t> items;   // handed out, in that order
        std::vector<std::uint32_t> all;     // every item, as made
        std::unordered_multimap<std::uint64_t, std::uint32_t> by_state;
        std::uint32_t made = 0;
        bool opened = false, exhausted = false;
    };
    struct Item {
        float score = 0;
        bool given = false;
        std::vector<std::uint32_t> edges;
    };
    struct Made {
        SearchEdge edge;
        float local;  // its score without that of its tails
    };

    static bool lower(const Candidate& one, const Candidate& other);
    static bool lower_waiting(const Waiting& one, const Waiting& other);
    bool needs(const Node& node, const Candidate& candidate, std::uint32_t& tail, bool& never) const;
    bool settle_pending(Node& node, std::uint32_t& blocked_on);
    void push(Node& node, Candidate candidate);
    void score(Node& node, const Candidate& candidate);
    HypothesisStep step(const GrowthEdge& edge, const Candidate& candidate) const;
    FeatureSet::TailStates tail_states(const GrowthEdge& edge, const Candidate& candidate) const;
    float local_score(const GrowthEdge& edge, const Candidate& candidate);
    std::uint32_t item_with_state(Node& node, float score, bool& fresh);
    void request(std::uint32_t node, std::size_t count);
    bool step(std::uint32_t number, std::size_t count, std::uint32_t& blocked_on);
    static std::uint32_t origin(const GrowthEdge& edge, const Candidate& candidate) {
        return edge.rules.empty() ? edge.origin : edge.rules[candidate.at[0]];
    }
    std::uint32_t item_of(const GrowthEdge& edge, const Candidate& candidate, std::uint32_t tail) const {
        return nodes_[edge.tails[tail]].items[candidate.at[tail + 1]];
    }

    const RuleTable& table_;
    const FeatureSet& features_;
    const RankedRules& ranked_;
    float glue_weight_;
    std::uint32_t pops_;
    Watch& watch_;
    std::vector<Node> nodes_;
    std::vector<Item> items_;
    Rows item_states_;
    std::vector<Made> edges_;
    EdgeValues values_;                 // of edges_
    std::vector<std::byte> row_;        // of the candidate at hand
    std::vector<FeatureValue> sparse_;  // of the same candidate
    std::size_t made_ = 0;
};

}  // namespace pentaglot
