#pragma once

#include "forest/forest.hpp"
#include "order/parse.hpp"

namespace pentaglot {

// The part of a parse whose edges are at least as likely as `least`, as a forest: its derivations are those of the
// parse, with the logarithms of their probabilities as feature 0, and yield the positions of words in their new order.
// Nodes have the stretch of words that they cover as their payload, as in a permutation forest; edges have their
// operator (`root` for what fills a slot). Throws Error if there would be too many edges.
Forest parse_forest(const Parse& parse, float least);

}  // namespace pentaglot
