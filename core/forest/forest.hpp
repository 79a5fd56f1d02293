#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/vocabulary.hpp"

namespace pentaglot {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;
using FeatureId = std::uint32_t;
using TemplateId = std::uint32_t;

// One place of a target template: a word id, or a reference to what tail number k yields.
using Symbol = std::int32_t;
constexpr Symbol tail_symbol(std::size_t tail) {
    return -1 - static_cast<Symbol>(tail);
}
constexpr bool is_tail(Symbol symbol) {
    return symbol < 0;
}
constexpr std::size_t tail_of(Symbol symbol) {
    return static_cast<std::size_t>(-1 - symbol);
}

struct FeatureValue {
    FeatureId id;
    float value;
};

// What a forest consists of. Offsets have one entry more than the things they delimit.
struct ForestArrays {
    std::vector<std::uint64_t> node_payloads;    // one for each node, opaque
    std::vector<std::uint64_t> edge_offsets{0};  // node -> its incoming edges
    std::vector<std::uint64_t> tail_offsets{0};  // edge -> tails
    std::vector<NodeId> tails;
    std::vector<std::uint64_t> feature_offsets{0};  // edge -> its feature vector
    std::vector<FeatureId> feature_ids;
    std::vector<float> feature_values;
    std::vector<TemplateId> templates;               // edge -> template
    std::vector<std::uint64_t> template_offsets{0};  // template -> symbols
    std::vector<Symbol> symbols;
    std::vector<std::uint64_t> edge_payloads;  // one for each edge, opaque
    NodeId goal = 0;
};

// A packed, weighted, directed acyclic hypergraph. Nodes are in topological order (tails before heads), the incoming
// edges of a node are neighbours. It never changes once made, so any number of threads may read it.
//
// A derivation is a tree of edges. It yields the words of its templates; a tail that a template does not name adds
// its score but no words, and none is named twice.
class Forest {
  public:
    // Throws Error if the arrays contradict each other or the nodes are not in topological order.
    explicit Forest(ForestArrays arrays);

    const ForestArrays& arrays() const { return a_; }
    std::size_t nodes() const { return a_.node_payloads.size(); }
    std::size_t edges() const { return a_.templates.size(); }
    std::size_t templates() const { return a_.template_offsets.size() - 1; }
    NodeId goal() const { return a_.goal; }

    EdgeId first_edge(NodeId node) const { return static_cast<EdgeId>(a_.edge_offsets[node]); }
    EdgeId last_edge(NodeId node) const { return static_cast<EdgeId>(a_.edge_offsets[node + std::size_t{1}]); }
    NodeId head(EdgeId edge) const { return heads_[edge]; }
    std::span<const NodeId> heads() const { return heads_; }
    std::span<const NodeId> tails(EdgeId edge) const { return part(a_.tails, a_.tail_offsets, edge); }
    std::span<const FeatureId> feature_ids(EdgeId edge) const { return part(a_.feature_ids, a_.feature_offsets, edge); }
    std::span<const float> feature_values(EdgeId edge) const {
        return part(a_.feature_values, a_.feature_offsets, edge);
    }
    std::span<const Symbol> symbols(EdgeId edge) const {
        return part(a_.symbols, a_.template_offsets, a_.templates[edge]);
    }
    std::uint64_t node_payload(NodeId node) const { return a_.node_payloads[node]; }
    std::uint64_t edge_payload(EdgeId edge) const { return a_.edge_payloads[edge]; }
    // One more than the largest feature id on any edge.
    std::size_t feature_count() const { return feature_count_; }

    // The dot product of `weights` and the feature vector, for every edge. Ids beyond the weights weigh nothing.
    std::vector<double> scores(std::span<const double> weights) const;

  private:
    template <typename T>
    static std::span<const T> part(const std::vector<T>& values, const std::vector<std::uint64_t>& offsets,
                                   std::size_t index) {
        return {values.data() + offsets[index], static_cast<std::size_t>(offsets[index + 1] - offsets[index])};
    }

    ForestArrays a_;
    std::vector<NodeId> heads_;
    std::size_t feature_count_ = 0;
};

// A score beyond this could overflow a sum. An edge whose score is -infinity is in no derivation.
constexpr double largest_score = 1e150;

// Throws Error unless there is one usable score for each edge.
void check_scores(const Forest& forest, std::span<const double> scores);

// A forest that holds some of another's edges, and where each came from.
struct Subforest {
    Forest forest;
    std::vector<EdgeId> kept;  // new edge -> old edge
};

// The kept edges that lie on some derivation of the goal made of kept edges, and the nodes and templates they need.
// If there is no such derivation, the goal alone remains, without edges.
Subforest subforest(const Forest& forest, std::span<const std::uint8_t> keep);
// Whether subforest() would change nothing with all edges kept.
bool is_trim(const Forest& forest);

}  // namespace pentaglot
