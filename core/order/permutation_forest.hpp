#pragma once

#include <span>

#include "forest/forest.hpp"
#include "order/chart.hpp"

namespace pentaglot {

// A chart as a Forest whose derivations are trees and yield the positions of words in their new order. `begins` says
// where each unit begins; its last number says how many words there are. A node's payload is the stretch of words that
// it covers (first word << 32 | one beyond the last), an edge's payload its operator (`root` for one of more than five
// children or for words).
Forest permutation_forest(const OrderChart& chart, std::span<const Position> begins);

}  // namespace pentaglot
