#include "forest/sample.hpp"

#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "forest/inside.hpp"
#include "forest/semiring.hpp"

namespace pentaglot {
namespace {

EdgeId draw_edge(const Forest& forest, std::span<const double> scores, const std::vector<double>& in, NodeId node,
                 Random& random) {
    double left = random.uniform();
    EdgeId drawn = forest.first_edge(node);
    for (EdgeId edge = drawn; edge < forest.last_edge(node); ++edge) {
        double log_share = scores[edge] - in[node];
        for (const NodeId tail : forest.tails(edge)) log_share += in[tail];
        const double share = std::exp(log_share);
        if (!(share > 0)) continue;
        drawn = edge;  // the last possible one, in case rounding leaves a little over
        left -= share;
        if (left < 0) break;
    }
    return drawn;
}

}  // namespace

Derivations sample(const Forest& forest, std::span<const double> scores, std::size_t count, std::uint64_t seed,
                   const Poll& poll) {
    check_scores(forest, scores);
    const auto in = inside<LogSemiring>(forest, [&](EdgeId edge) { return scores[edge]; });
    Derivations drawn;
    if (in[forest.goal()] == LogSemiring::zero()) return drawn;
    std::vector<NodeId> open;
    std::size_t steps = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Random random(Random(Random(seed).next() + i).next());
        const std::size_t begun = drawn.edges.size();
        double score = 0.0;
        open.assign(1, forest.goal());
        while (!open.empty()) {
            if (poll && ++steps % (1 << 14) == 0) poll();
            const EdgeId edge = draw_edge(forest, scores, in, open.back(), random);
            open.pop_back();
            if (drawn.edges.size() - begun == largest_derivation)
                throw Error("a derivation of the forest is too large");
            drawn.edges.push_back(edge);
            score += scores[edge];
            const auto tails = forest.tails(edge);
            open.insert(open.end(), tails.rbegin(), tails.rend());
        }
        drawn.scores.push_back(score);
        drawn.offsets.push_back(drawn.edges.size());
    }
    return drawn;
}

}  // namespace pentaglot
