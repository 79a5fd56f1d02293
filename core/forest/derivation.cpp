#include "forest/derivation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace pentaglot {

Best best_edges(const Forest& forest, std::span<const double> scores) {
    constexpr double none = -std::numeric_limits<double>::infinity();
    Best best{std::vector<double>(forest.nodes(), none), std::vector<EdgeId>(forest.nodes(), 0)};
    for (NodeId node = 0; node < forest.nodes(); ++node) {
        for (EdgeId edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
            double score = scores[edge];
            for (const NodeId tail : forest.tails(edge)) score += best.scores[tail];
            if (score > best.scores[node]) {
                best.scores[node] = score;
                best.edges[node] = edge;
            }
        }
    }
    return best;
}

Derivations viterbi(const Forest& forest, std::span<const double> scores) {
    check_scores(forest, scores);
    const Best best = best_edges(forest, scores);
    Derivations found;
    if (best.scores[forest.goal()] == -std::numeric_limits<double>::infinity()) return found;
    std::vector<NodeId> open{forest.goal()};
    while (!open.empty()) {
        const EdgeId edge = best.edges[open.back()];
        open.pop_back();
        if (found.edges.size() == largest_derivation) throw Error("a derivation of the forest is too large");
        found.edges.push_back(edge);
        const auto tails = forest.tails(edge);
        open.insert(open.end(), tails.rbegin(), tails.rend());
    }
    found.scores.push_back(best.scores[forest.goal()]);
    found.offsets.push_back(found.edges.size());
    return found;
}

Shape shape_of(const Forest& forest, std::span<const EdgeId> derivation) {
    Shape shape;
    shape.offsets.assign(1, 0);
    std::uint64_t total = 0;
    for (const EdgeId edge : derivation) {
        if (edge >= forest.edges()) throw Error("a derivation has an edge that the forest lacks");
        shape.offsets.push_back(total += forest.tails(edge).size());
    }
    shape.children.resize(total);
    std::vector<std::size_t> end(derivation.size());
    for (std::size_t place = derivation.size(); place-- > 0;) {
        const auto tails = forest.tails(derivation[place]);
        std::size_t child = place + 1;
        for (std::size_t t = 0; t < tails.size(); ++t) {
            if (child >= derivation.size() || forest.head(derivation[child]) != tails[t]) {
                throw Error("this list of edges is not a derivation in the forest");
            }
            shape.children[shape.offsets[place] + t] = child;
            child = end[child];
        }
        end[place] = child;
    }
    if (derivation.empty() || end[0] != derivation.size()) {
        throw Error("this list of edges is not a derivation in the forest");
    }
    return shape;
}

std::vector<WordId> words_of(const Forest& forest, std::span<const EdgeId> derivation) {
    const Shape shape = shape_of(forest, derivation);
    struct Reading {
        std::uint64_t place;
        std::size_t symbol;
    };
    std::vector<WordId> words;
    std::vector<Reading> open{{0, 0}};
    while (!open.empty()) {
        Reading& reading = open.back();
        const auto symbols = forest.symbols(derivation[reading.place]);
        if (reading.symbol == symbols.size()) {
            open.pop_back();
            continue;
        }
        const Symbol symbol = symbols[reading.symbol++];
        if (is_tail(symbol)) {
            open.push_back({shape.children[shape.offsets[reading.place] + tail_of(symbol)], 0});
        } else {
            words.push_back(static_cast<WordId>(symbol));
        }
    }
    return words;
}

SummedFeatures features_of(const Forest& forest, std::span<const EdgeId> derivation) {
    std::vector<std::pair<FeatureId, double>> all;
    for (const EdgeId edge : derivation) {
        if (edge >= forest.edges()) throw Error("a derivation has an edge that the forest lacks");
        const auto ids = forest.feature_ids(edge);
        const auto values = forest.feature_values(edge);
        for (std::size_t at = 0; at < ids.size(); ++at) all.emplace_back(ids[at], double{values[at]});
    }
    // Stable, so that values are added in the order of the edges.
    std::ranges::stable_sort(all, {}, &std::pair<FeatureId, double>::first);
    SummedFeatures sum;
    for (const auto& [id, value] : all) {
        if (sum.ids.empty() || sum.ids.back() != id) {
            sum.ids.push_back(id);
            sum.values.push_back(0.0);
        }
        sum.values.back() += value;
    }
    return sum;
}

}  // namespace pentaglot
