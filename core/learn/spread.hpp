#pragma once

#include <vector>

#include "learn/candidates.hpp"

namespace pentaglot {

// How much every feature varies between candidates of one sentence: the root of its mean variance.
std::vector<double> feature_spread(const CandidateLists& lists);

}  // namespace pentaglot
