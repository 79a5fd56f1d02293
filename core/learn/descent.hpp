#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/columns.hpp"
#include "learn/losses.hpp"

namespace pentaglot {

struct DescentSettings {
    double rate = 1e-4;     // the step, eta
    double strength = 1.0;  // C, of the penalty strength / 2 * |weights - anchor|^2 on all sentences together
};

// Stochastic subgradient descent over candidate lists, one sentence after the other (Gimpel 2012, algorithms 1 and 2).
// Every step draws the weights towards the anchor by 1 / sentences of the penalty; one factor does this for all weights
// at once: weights = anchor + scale * moved.
class Descent {
  public:
    Descent(const FeatureColumns& columns, const Loss& loss, std::span<const double> costs,
            std::span<const double> weights, std::span<const double> anchor, DescentSettings settings);

    // From now on, keeps the upper side of the loss (hopes) of all sentences as it is under the present weights (CCCP).
    void freeze();
    // Visits the sentences in this order.
    void epoch(std::span<const std::uint32_t> order);

    std::vector<double> weights() const;
    // Goes on from other weights.
    void move(std::span<const double> weights);

  private:
    void visit(std::size_t sentence);
    void score(std::size_t sentence);
    void fold();

    const FeatureColumns& columns_;
    const CandidateLists& lists_;
    Loss loss_;
    std::span<const double> costs_;
    std::vector<double> anchor_, moved_;
    std::vector<double> anchored_;  // scores of candidates under the anchor
    std::vector<double> frozen_;    // shares of candidates on the upper side; empty if nothing is frozen
    std::vector<double> scores_, slopes_;
    DescentSettings settings_;
    double scale_ = 1.0;
};

}  // namespace pentaglot
