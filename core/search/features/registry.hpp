#pragma once

#include "search/features/feature.hpp"

namespace pentaglot {

// All features with state that a search has, in the order in which they are asked. Those that foresee their scores
// come first.
FeatureList make_features(const FeatureContext& context);

}  // namespace pentaglot
