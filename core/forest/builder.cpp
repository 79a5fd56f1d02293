#include "forest/builder.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <utility>

#include "base/checksum.hpp"
#include "base/error.hpp"

namespace pentaglot {

NodeId ForestBuilder::add_node(std::uint64_t payload) {
    if (nodes() + 1 >= std::numeric_limits<NodeId>::max()) throw Error("the forest has too many nodes");
    node_payloads_.push_back(payload);
    return static_cast<NodeId>(nodes() - 1);
}

TemplateId ForestBuilder::add_template(std::span<const Symbol> symbols) {
    const std::uint64_t hash = checksum(std::as_bytes(symbols));
    const auto [begin, end] = template_ids_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
        const auto from = symbols_.begin() + static_cast<std::ptrdiff_t>(template_offsets_[it->second]);
        const auto to = symbols_.begin() + static_cast<std::ptrdiff_t>(template_offsets_[it->second + std::size_t{1}]);
        if (std::equal(from, to, symbols.begin(), symbols.end())) return it->second;
    }
    const auto id = static_cast<TemplateId>(template_offsets_.size() - 1);
    symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
    template_offsets_.push_back(symbols_.size());
    template_ids_.emplace(hash, id);
    return id;
}

EdgeId ForestBuilder::add_edge(NodeId head, std::span<const NodeId> tails, TemplateId target,
                               std::span<const FeatureValue> features, std::uint64_t payload) {
    if (edges() + 1 >= std::numeric_limits<EdgeId>::max()) throw Error("the forest has too many edges");
    heads_.push_back(head);
    tails_.insert(tails_.end(), tails.begin(), tails.end());
    tail_offsets_.push_back(tails_.size());
    for (const FeatureValue feature : features) {
        feature_ids_.push_back(feature.id);
        feature_values_.push_back(feature.value);
    }
    feature_offsets_.push_back(feature_ids_.size());
    templates_.push_back(target);
    edge_payloads_.push_back(payload);
    return static_cast<EdgeId>(edges() - 1);
}

void ForestBuilder::add_features(std::span<const FeatureId> ids, std::span<const float> values) {
    if (edges() == 0 || ids.size() != values.size()) throw Error("features need an edge, and each of them a value");
    feature_ids_.insert(feature_ids_.end(), ids.begin(), ids.end());
    feature_values_.insert(feature_values_.end(), values.begin(), values.end());
    feature_offsets_.back() = feature_ids_.size();
}

void ForestBuilder::check(NodeId goal) const {
    if (goal >= nodes()) throw Error("the goal of the forest is not one of its nodes");
    for (EdgeId edge = 0; edge < edges(); ++edge) {
        const auto name = [&] { return "edge " + std::to_string(edge) + " of the forest "; };
        if (heads_[edge] >= nodes()) throw Error(name() + "has a head that does not exist");
        if (templates_[edge] + std::size_t{1} >= template_offsets_.size()) {
            throw Error(name() + "has a template that does not exist");
        }
        for (auto i = tail_offsets_[edge]; i < tail_offsets_[edge + std::size_t{1}]; ++i) {
            if (tails_[i] >= nodes()) throw Error(name() + "has a tail that does not exist");
        }
    }
}

// A counting sort, so that edges of one head stay in the order in which they were added.
std::vector<EdgeId> ForestBuilder::edges_by_head() const {
    std::vector<std::size_t> next(nodes() + 1, 0);
    for (const NodeId head : heads_) ++next[head + std::size_t{1}];
    for (std::size_t node = 0; node < nodes(); ++node) next[node + 1] += next[node];
    std::vector<EdgeId> sorted(edges());
    for (EdgeId edge = 0; edge < edges(); ++edge) sorted[next[heads_[edge]]++] = edge;
    return sorted;
}

std::vector<NodeId> ForestBuilder::topological_order(std::span<const EdgeId> by_head) const {
    std::vector<NodeId> order;
    order.reserve(nodes());
    // Which edges wait for a node, as lists through `next_waiting`, one link for each tail.
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> waiting(nodes(), none);
    std::vector<std::size_t> next_waiting(tails_.size());
    std::vector<std::size_t> missing(nodes(), 0);  // tails of a node's edges that have no place yet
    std::vector<NodeId> head_of_tail(tails_.size());
    for (const EdgeId edge : by_head) {
        for (auto i = tail_offsets_[edge]; i < tail_offsets_[edge + std::size_t{1}]; ++i) {
            next_waiting[i] = std::exchange(waiting[tails_[i]], i);
            head_of_tail[i] = heads_[edge];
            ++missing[heads_[edge]];
        }
    }
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (NodeId node = 0; node < nodes(); ++node) {
        if (missing[node] == 0) ready.push(node);
    }
    while (!ready.empty()) {
        const NodeId node = ready.top();
        ready.pop();
        order.push_back(node);
        for (std::size_t i = waiting[node]; i != none; i = next_waiting[i]) {
            if (--missing[head_of_tail[i]] == 0) ready.push(head_of_tail[i]);
        }
    }
    if (order.size() != nodes()) throw Error("the forest has a cycle: a node is needed to derive itself");
    return order;
}

// Whether everything was added in the order that the forest will have, as searches do.
bool ForestBuilder::in_order() const {
    if (!std::is_sorted(heads_.begin(), heads_.end())) return false;
    for (EdgeId edge = 0; edge < edges(); ++edge) {
        for (auto i = tail_offsets_[edge]; i < tail_offsets_[edge + std::size_t{1}]; ++i) {
            if (tails_[i] >= heads_[edge]) return false;
        }
    }
    return true;
}

// Takes what was added in order as it is: copying the features of a large forest takes longer than finding them.
ForestArrays ForestBuilder::taken(NodeId goal) {
    ForestArrays to;
    to.edge_offsets.assign(nodes() + 1, 0);
    for (const NodeId head : heads_) ++to.edge_offsets[head + std::size_t{1}];
    for (std::size_t node = 0; node < nodes(); ++node) to.edge_offsets[node + 1] += to.edge_offsets[node];
    to.node_payloads = std::move(node_payloads_);
    to.tail_offsets = std::move(tail_offsets_);
    to.tails = std::move(tails_);
    to.feature_offsets = std::move(feature_offsets_);
    to.feature_ids = std::move(feature_ids_);
    to.feature_values = std::move(feature_values_);
    to.templates = std::move(templates_);
    to.edge_payloads = std::move(edge_payloads_);
    to.goal = goal;
    return to;
}

ForestArrays ForestBuilder::sorted(NodeId goal) {
    const auto by_head = edges_by_head();
    const auto order = topological_order(by_head);
    std::vector<NodeId> new_node(nodes());
    for (std::size_t i = 0; i < order.size(); ++i) new_node[order[i]] = static_cast<NodeId>(i);
    std::vector<std::size_t> first(nodes() + 1, 0);
    for (const NodeId head : heads_) ++first[head + std::size_t{1}];
    for (std::size_t node = 0; node < nodes(); ++node) first[node + 1] += first[node];

    ForestArrays to;
    for (const NodeId node : order) {
        to.node_payloads.push_back(node_payloads_[node]);
        for (std::size_t i = first[node]; i < first[node + std::size_t{1}]; ++i) {
            const EdgeId edge = by_head[i];
            for (auto t = tail_offsets_[edge]; t < tail_offsets_[edge + std::size_t{1}]; ++t) {
                to.tails.push_back(new_node[tails_[t]]);
            }
            to.tail_offsets.push_back(to.tails.size());
            for (auto f = feature_offsets_[edge]; f < feature_offsets_[edge + std::size_t{1}]; ++f) {
                to.feature_ids.push_back(feature_ids_[f]);
                to.feature_values.push_back(feature_values_[f]);
            }
            to.feature_offsets.push_back(to.feature_ids.size());
            to.templates.push_back(templates_[edge]);
            to.edge_payloads.push_back(edge_payloads_[edge]);
        }
        to.edge_offsets.push_back(to.templates.size());
    }
    to.goal = new_node[goal];
    return to;
}

Forest ForestBuilder::finish(NodeId goal, bool trim) {
    check(goal);
    ForestArrays to = in_order() ? taken(goal) : sorted(goal);
    to.template_offsets = std::move(template_offsets_);
    to.symbols = std::move(symbols_);
    *this = ForestBuilder();
    Forest forest(std::move(to));
    if (!trim || is_trim(forest)) return forest;
    return subforest(forest, std::vector<std::uint8_t>(forest.edges(), 1)).forest;
}

}  // namespace pentaglot
