#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "forest/forest.hpp"
#include "forest/semiring.hpp"

namespace pentaglot {

// How an edge is weighted in a semiring: weight(edge) gives its value.
template <typename W, typename S>
concept EdgeWeight = requires(const W& weight, EdgeId edge) {
    { weight(edge) } -> std::convertible_to<typename S::Value>;
};

// For every node, the sum over its derivations. One pass over the edges.
template <Semiring S, EdgeWeight<S> Weight>
std::vector<typename S::Value> inside(const Forest& forest, const Weight& weight) {
    std::vector<typename S::Value> values(forest.nodes(), S::zero());
    for (NodeId node = 0; node < forest.nodes(); ++node) {
        auto total = S::zero();
        for (EdgeId edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
            typename S::Value product = weight(edge);
            for (const NodeId tail : forest.tails(edge)) product = S::times(product, values[tail]);
            total = S::plus(total, product);
        }
        values[node] = total;
    }
    return values;
}

// For every node, the sum over the ways to complete one of its derivations to a derivation of the goal.
template <Semiring S, EdgeWeight<S> Weight>
std::vector<typename S::Value> outside(const Forest& forest, const Weight& weight,
                                       const std::vector<typename S::Value>& inside_values) {
    using Value = typename S::Value;
    std::vector<Value> values(forest.nodes(), S::zero());
    std::vector<Value> after;  // products of the inside values of all later tails, so that no division is needed
    values[forest.goal()] = S::one();
    for (std::size_t i = forest.edges(); i-- > 0;) {
        const auto edge = static_cast<EdgeId>(i);
        const auto tails = forest.tails(edge);
        if (tails.empty()) continue;
        after.assign(tails.size(), S::one());
        for (std::size_t t = tails.size() - 1; t > 0; --t) {
            after[t - 1] = S::times(inside_values[tails[t]], after[t]);
        }
        Value before = S::times(values[forest.head(edge)], weight(edge));
        for (std::size_t t = 0; t < tails.size(); ++t) {
            values[tails[t]] = S::plus(values[tails[t]], S::times(before, after[t]));
            before = S::times(before, inside_values[tails[t]]);
        }
    }
    return values;
}

// For every edge, the sum over the derivations of the goal that use it (once for each use).
template <Semiring S, EdgeWeight<S> Weight>
std::vector<typename S::Value> edge_totals(const Forest& forest, const Weight& weight,
                                           const std::vector<typename S::Value>& inside_values,
                                           const std::vector<typename S::Value>& outside_values) {
    std::vector<typename S::Value> totals;
    totals.reserve(forest.edges());
    for (EdgeId edge = 0; edge < forest.edges(); ++edge) {
        auto product = S::times(outside_values[forest.head(edge)], weight(edge));
        for (const NodeId tail : forest.tails(edge)) product = S::times(product, inside_values[tail]);
        totals.push_back(product);
    }
    return totals;
}

}  // namespace pentaglot
