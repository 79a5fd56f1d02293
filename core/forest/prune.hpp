#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/forest.hpp"

namespace pentaglot {

// For every edge, the score of the best derivation that uses it; -infinity if there is none.
std::vector<double> max_marginals(const Forest& forest, std::span<const double> scores);

// Which edges to keep. All limits hold together; the best derivation is kept whatever they are.
struct PruneLimits {
    double threshold;            // how much worse than the best derivation an edge's best one may be; infinity: any
    std::size_t edges;           // how many edges in all; 0: any number
    std::size_t edges_per_node;  // how many incoming edges of a node; 0: any number
};

// One mark for each edge, for subforest(). Edges in no derivation are never marked. With a limit on all edges, equally
// good edges stay or go together; only if the best ones alone are too many, the first of them stay, as many as fit.
std::vector<std::uint8_t> prune(const Forest& forest, std::span<const double> scores, const PruneLimits& limits);

}  // namespace pentaglot
