#pragma once

#include <span>
#include <vector>

#include "learn/candidates.hpp"

namespace pentaglot {

// Candidates as a probability distribution: in every sentence a softmax of their model scores.

// The sum over sentences of the statistics that a candidate drawn at random has on average.
std::vector<double> expected_statistics(const CandidateLists& lists, std::span<const double> weights, unsigned threads);

// The gradient of slopes·(expected statistics): for each weight, the covariance of its feature and slopes·statistics.
std::vector<double> expected_gradient(const CandidateLists& lists, std::span<const double> weights,
                                      std::span<const double> slopes, unsigned threads);

}  // namespace pentaglot
