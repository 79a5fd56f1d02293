#pragma once

#include <span>
#include <vector>

#include "forest/derivation.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// The derivations of the goal that are best somewhere along a line, from left to right: the first from minus infinity
// on, every other from `starts` on. Their scores are those at zero.
struct BestAlong {
    std::vector<double> starts;
    Derivations derivations;
};

// The score of an edge is score + x * slope. Envelopes are computed for every node (Macherey et al. 2008; Kumar et al.
// 2009): those of the tails of an edge are added, and what is highest somewhere among all edges of a node is kept. Of
// equally good derivations the one whose topmost edge comes first is taken. An edge with a score of -infinity is in
// none of them.
BestAlong best_along(const Forest& forest, std::span<const double> scores, std::span<const double> slopes);

}  // namespace pentaglot
