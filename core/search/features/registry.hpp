#pragma once

#include "search/features/feature.hpp"

namespace pentaglot {

// All features with state of a search, in the order in which they are computed.
FeatureList make_features(const FeatureContext& context);

}  // namespace pentaglot
