#pragma once

#include <cstdint>
#include <span>

#include "forest/forest.hpp"
#include "search/limits.hpp"
#include "search/model.hpp"

namespace pentaglot {

// Adds features that look across edges to a forest that a search without them has made, by cube pruning (Huang and
// Chiang 2007; over phrase lattices: Gimpel 2012, §3.6): nodes are split by what these features must tell apart, and of
// each at most `pops` combinations of edges and parts are tried, about the best first. With enough of them the result
// has all derivations of the forest, each with its further features.
//
// Of the model only n-grams, triggers and what is conjoined with them count: they read words alone. Throws Error if an
// edge has more tails than a rule may have gaps: no search makes one, and so tails fit into arrays.
Forest rescored(const Forest& forest, std::span<const double> scores, const SearchModel& model, std::uint32_t pops,
                const SearchLimits& limits);

}  // namespace pentaglot
