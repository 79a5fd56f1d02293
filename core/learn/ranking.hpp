#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"
#include "learn/losses.hpp"

namespace pentaglot {

// The logistic loss of pairs of candidates, of which the first should score higher: the sum over pairs of
// log(1 + exp(-weights · difference)). Only differences are kept, over the features that some pair differs in.
class Ranking {
  public:
    Ranking(const CandidateLists& lists, std::span<const std::uint64_t> better, std::span<const std::uint64_t> worse);

    // The loss of all pairs together, and its gradient.
    ValueAndGradient value_and_gradient(std::span<const double> weights) const;

    // Newton's step for factor * loss + rest, where `gradient` is that of the whole sum and `curvature` the second
    // derivative of the rest along every feature: the solution of (second derivatives) · step = gradient. Of few
    // features all second derivatives are computed and it is exact; of many, it is found by conjugate gradients, until
    // what is missing is `tolerance` of the gradient. Throws Error unless the curvature is positive.
    std::vector<double> newton_step(std::span<const double> weights, std::span<const double> gradient, double factor,
                                    double curvature, double tolerance) const;

  private:
    using Numbers = std::vector<double>;

    std::size_t pairs() const { return offsets_.size() - 1; }
    Numbers own(std::span<const double> numbers) const;  // those of the features that pairs differ in
    double dot(std::size_t pair, const Numbers& numbers) const;
    void add(std::size_t pair, double factor, Numbers& sums) const;
    Numbers curvatures(const Numbers& weights, double factor) const;  // of the loss of each pair, by its margin
    Numbers solved(const Numbers& curvatures, const Numbers& gradient, double curvature) const;
    Numbers approached(const Numbers& curvatures, const Numbers& gradient, double curvature, double tolerance) const;

    std::size_t feature_count_;
    std::vector<std::uint32_t> features_;  // that some pair differs in
    std::vector<std::uint64_t> offsets_{0};
    std::vector<std::uint32_t> places_;  // of the features of differences among these
    std::vector<double> values_;
};

}  // namespace pentaglot
