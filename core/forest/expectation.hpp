#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/forest.hpp"
#include "forest/semiring.hpp"

namespace pentaglot {

// How often each edge is used, on average over derivations weighted by their exponentiated score. (That is its
// posterior probability where no derivation uses it twice.) All zero if the goal has no derivation.
std::vector<double> posteriors(const Forest& forest, std::span<const double> scores);

// The sum over edges of factor * feature vector, for feature ids below `features`.
std::vector<double> summed_features(const Forest& forest, std::span<const double> factors, std::size_t features);

// Means of two quantities that add up over edges, and of their product (second-order expectation semiring).
SecondExpectation expectations(const Forest& forest, std::span<const double> scores, std::span<const double> first,
                               std::span<const double> second);

// For each feature, its covariance with a quantity that adds up over edges: the gradient of the quantity's mean with
// respect to the weights (Li and Eisner 2009: the inside-outside form of the second-order semiring).
std::vector<double> covariances(const Forest& forest, std::span<const double> scores, std::span<const double> values,
                                std::size_t features);

}  // namespace pentaglot
