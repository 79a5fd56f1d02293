#include "forest/prune.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "forest/derivation.hpp"
#include "forest/inside.hpp"
#include "forest/semiring.hpp"

namespace pentaglot {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

// Whether each edge is in the best derivation. Found from the goal down, so that shared nodes are visited once.
std::vector<std::uint8_t> best_derivation(const Forest& forest, const Best& best) {
    std::vector<std::uint8_t> marks(forest.edges(), 0);
    std::vector<std::uint8_t> used(forest.nodes(), 0);
    used[forest.goal()] = best.scores[forest.goal()] == none ? 0 : 1;
    for (std::size_t i = forest.nodes(); i-- > 0;) {
        if (used[i] == 0) continue;
        marks[best.edges[i]] = 1;
        for (const NodeId tail : forest.tails(best.edges[i])) used[tail] = 1;
    }
    return marks;
}

struct ByMarginal {
    const std::vector<double>& marginals;
    const std::vector<std::uint8_t>& in_best;
    bool operator()(EdgeId a, EdgeId b) const {
        if (in_best[a] != in_best[b]) return in_best[a] > in_best[b];
        if (marginals[a] != marginals[b]) return marginals[a] > marginals[b];
        return a < b;
    }
};

void limit_edges(std::size_t limit, const ByMarginal& better, std::vector<std::uint8_t>& keep) {
    std::vector<EdgeId> sorted;
    for (EdgeId edge = 0; edge < keep.size(); ++edge) {
        if (keep[edge] != 0) sorted.push_back(edge);
    }
    if (sorted.size() <= limit) return;
    std::sort(sorted.begin(), sorted.end(), better);
    // The largest cut within the limit that does not separate equals.
    std::size_t cut = limit;
    while (cut > 0 && better.marginals[sorted[cut - 1]] == better.marginals[sorted[limit]]) --cut;
    const bool only_best_left = cut == 0 || better.in_best[sorted[cut]] != 0;
    if (only_best_left) cut = limit;
    for (std::size_t i = cut; i < sorted.size(); ++i) keep[sorted[i]] = better.in_best[sorted[i]];
}

void limit_edges_of_nodes(const Forest& forest, std::size_t limit, const ByMarginal& better,
                          std::vector<std::uint8_t>& keep) {
    std::vector<EdgeId> sorted;
    for (NodeId node = 0; node < forest.nodes(); ++node) {
        sorted.resize(forest.last_edge(node) - forest.first_edge(node));
        if (sorted.size() <= limit) continue;
        std::iota(sorted.begin(), sorted.end(), forest.first_edge(node));
        std::sort(sorted.begin(), sorted.end(), better);
        for (std::size_t i = limit; i < sorted.size(); ++i) keep[sorted[i]] = 0;
    }
}

}  // namespace

std::vector<double> max_marginals(const Forest& forest, std::span<const double> scores) {
    check_scores(forest, scores);
    const auto weight = [&](EdgeId edge) { return scores[edge]; };
    const auto in = inside<MaxSemiring>(forest, weight);
    const auto out = outside<MaxSemiring>(forest, weight, in);
    return edge_totals<MaxSemiring>(forest, weight, in, out);
}

std::vector<std::uint8_t> prune(const Forest& forest, std::span<const double> scores, const PruneLimits& limits) {
    if (!(limits.threshold >= 0)) throw Error("a pruning threshold cannot be negative");
    const auto marginals = max_marginals(forest, scores);
    const Best best = best_edges(forest, scores);
    const auto in_best = best_derivation(forest, best);
    const ByMarginal better{marginals, in_best};
    const double bound = best.scores[forest.goal()] - limits.threshold;
    std::vector<std::uint8_t> keep(forest.edges(), 0);
    // The best derivation is kept explicitly: sums taken in another order may differ from its score in the last bit.
    for (EdgeId edge = 0; edge < keep.size(); ++edge) {
        keep[edge] = in_best[edge] != 0 || (marginals[edge] != none && marginals[edge] >= bound) ? 1 : 0;
    }
    if (limits.edges_per_node != 0) limit_edges_of_nodes(forest, limits.edges_per_node, better, keep);
    if (limits.edges != 0) limit_edges(limits.edges, better, keep);
    return keep;
}

}  // namespace pentaglot
