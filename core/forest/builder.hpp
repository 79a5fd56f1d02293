#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "forest/forest.hpp"

namespace pentaglot {

// Collects nodes and edges in any order and makes a Forest of them. Appending is cheap: nothing is checked or sorted
// before finish().
//
//     ForestBuilder builder;
//     const NodeId house = builder.add_node();
//     const Symbol words[] = {the, house_id};
//     const FeatureValue features[] = {{translation, -0.5F}};
//     builder.add_edge(house, {}, builder.add_template(words), features);
//     Forest forest = builder.finish(house);
class ForestBuilder {
  public:
    // A new node; `payload` is kept as it is (a span, a label, whatever the decoder wants to find again).
    NodeId add_node(std::uint64_t payload = 0);

    // The id of a template; equal templates share one.
    TemplateId add_template(std::span<const Symbol> symbols);

    // A new edge. Among edges of one head, the order of adding decides ties. Features may repeat; they add up. Returns
    // the number of the edge in the order of adding; finish() renumbers edges.
    EdgeId add_edge(NodeId head, std::span<const NodeId> tails, TemplateId target,
                    std::span<const FeatureValue> features, std::uint64_t payload = 0);
    // Further features of the edge that was added last.
    void add_features(std::span<const FeatureId> ids, std::span<const float> values);

    std::size_t nodes() const { return node_payloads_.size(); }
    std::size_t edges() const { return heads_.size(); }

    // Sorts everything and empties the builder. Nodes keep their order where it is a topological one; otherwise, of
    // the nodes that could come next, the one added first does. `trim` leaves out what no derivation of the goal
    // needs. Throws Error for a cycle or for a reference to something that does not exist.
    Forest finish(NodeId goal, bool trim = true);

  private:
    void check(NodeId goal) const;
    bool in_order() const;
    ForestArrays sorted(NodeId goal);
    ForestArrays taken(NodeId goal);
    std::vector<EdgeId> edges_by_head() const;
    std::vector<NodeId> topological_order(std::span<const EdgeId> by_head) const;

    std::vector<std::uint64_t> node_payloads_;
    std::vector<NodeId> heads_;
    std::vector<std::uint64_t> tail_offsets_{0};
    std::vector<NodeId> tails_;
    std::vector<std::uint64_t> feature_offsets_{0};
    std::vector<FeatureId> feature_ids_;
    std::vector<float> feature_values_;
    std::vector<TemplateId> templates_;
    std::vector<std::uint64_t> edge_payloads_;
    std::vector<std::uint64_t> template_offsets_{0};
    std::vector<Symbol> symbols_;
    std::unordered_multimap<std::uint64_t, TemplateId> template_ids_;  // by checksum
};

}  // namespace pentaglot
