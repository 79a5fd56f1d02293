#include "search/graph.hpp"

#include <algorithm>

#include "forest/builder.hpp"

namespace pentaglot {

void SearchGraph::add_edge(std::uint32_t item, const SearchEdge& edge, const float* values,
                           std::span<const FeatureValue> sparse) {
    SearchItem& head = items[item];
    const auto number = static_cast<std::uint32_t>(edges.size());
    if (head.first_edge == SearchEdge::none || edge.score > head.score) {
        head.score = edge.score;
        head.best_edge = number;
    }
    edges.push_back(edge);
    edges.back().next = head.first_edge;
    head.first_edge = number;
    values_.add(values, sparse);
}

// The edges of an item in the order in which they were made, or only the best one.
std::vector<std::uint32_t> SearchGraph::edges_of(const SearchItem& item, bool whole) const {
    if (!whole) return {item.best_edge};
    std::vector<std::uint32_t> all;
    for (std::uint32_t edge = item.first_edge; edge != SearchEdge::none; edge = edges[edge].next) all.push_back(edge);
    std::reverse(all.begin(), all.end());
    return all;
}

std::vector<std::uint8_t> SearchGraph::needed(std::uint32_t goal, bool whole) const {
    std::vector<std::uint8_t> marks(items.size(), 0);
    marks[goal] = 1;
    for (std::size_t number = goal + std::size_t{1}; number-- > 0;) {
        if (marks[number] == 0) continue;
        for (const std::uint32_t edge : edges_of(items[number], whole)) {
            for (std::uint32_t tail = 0; tail < edges[edge].tail_count; ++tail) marks[edges[edge].tails[tail]] = 1;
        }
    }
    return marks;
}

void SearchGraph::features_of(std::uint32_t edge, const RuleTable& table, std::vector<FeatureValue>& found) const {
    found.clear();
    const std::uint32_t origin = edges[edge].origin;
    features_.collect(values_.of(edge), origin == EdgeOrigin::glue, found);
    const auto sparse = values_.sparse_of(edge);
    found.insert(found.end(), sparse.begin(), sparse.end());
    if (!EdgeOrigin::is_rule(origin)) return;
    for (std::size_t column = 0; column < table.features.size(); ++column) {
        const float value = table.features[column][origin];
        if (value != 0) found.push_back({table.feature_ids[column], value});
    }
}

std::vector<Symbol> SearchGraph::target_of(const SearchEdge& edge, const RuleTable& table) const {
    std::vector<Symbol> symbols;
    const bool rule = EdgeOrigin::is_rule(edge.origin);
    if (!rule || edge.appends) {
        for (std::uint32_t tail = 0; tail < edge.tail_count; ++tail) symbols.push_back(tail_symbol(tail));
    }
    if (rule) {
        const auto words = table.target(edge.origin);
        symbols.insert(symbols.end(), words.begin(), words.end());
    }
    return symbols;
}

Forest SearchGraph::forest(std::uint32_t goal, const RuleTable& table, bool whole, const Watch& watch) const {
    const auto marks = needed(goal, whole);
    ForestBuilder builder;
    std::vector<NodeId> nodes(items.size(), 0);
    std::vector<FeatureValue> features;
    std::vector<NodeId> tails;
    for (std::uint32_t number = 0; number <= goal; ++number) {
        if (number % Watch::interval == 0) watch.check_cancelled();
        if (marks[number] == 0) continue;
        nodes[number] = builder.add_node(number);
        for (const std::uint32_t at : edges_of(items[number], whole)) {
            const SearchEdge& edge = edges[at];
            features_of(at, table, features);
            tails.clear();
            for (std::uint32_t tail = 0; tail < edge.tail_count; ++tail) tails.push_back(nodes[edge.tails[tail]]);
            builder.add_edge(nodes[number], tails, builder.add_template(target_of(edge, table)), features,
                             edge_payload(edge.origin, edge.begin, edge.end));
        }
    }
    return builder.finish(nodes[goal]);
}

}  // namespace pentaglot
