#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace pentaglot {

// The prior of the fast model: the nearer position i of `states` and observation j of `observations` are to the
// diagonal, the likelier they are linked: exp(tension * distance) with distance = -|(i + 1) / states - (j + 1) /
// observations|.
class DiagonalPrior {
  public:
    DiagonalPrior(std::size_t states, std::size_t observations, double tension)
        : states_(states),
          observations_(observations),
          tension_(tension),
          ratio_(std::exp(-tension / static_cast<double>(states))) {}

    double distance(std::size_t j, std::size_t i) const {
        return -std::abs(static_cast<double>(i + 1) / static_cast<double>(states_) -
                         static_cast<double>(j + 1) / static_cast<double>(observations_));
    }

    // Writes the weights of all states for observation j and returns their sum. On both sides of the diagonal they
    // are geometric series, so two exponentials are enough.
    double weigh(std::size_t j, double* weights) const {
        const std::size_t below = (j + 1) * states_ / observations_;  // states 1 .. below are on or under the diagonal
        double total = 0;
        if (below > 0) {
            double weight = std::exp(tension_ * distance(j, below - 1));
            for (std::size_t i = below; i-- > 0; weight *= ratio_) total += weights[i] = weight;
        }
        if (below < states_) {
            double weight = std::exp(tension_ * distance(j, below));
            for (std::size_t i = below; i < states_; ++i, weight *= ratio_) total += weights[i] = weight;
        }
        return total;
    }

    // The expected distance of observation j under the prior, by the closed form of both series.
    double expected(std::size_t j) const;

  private:
    std::size_t states_;
    std::size_t observations_;
    double tension_;
    double ratio_;
};

// How often each pair of lengths occurs (states, observations).
using LengthCounts = std::map<std::pair<std::size_t, std::size_t>, std::uint64_t>;

// The tension that makes the expected distance of the prior equal to the observed mean, approached by a few gradient
// steps from `tension`.
double better_tension(const LengthCounts& lengths, double observed_mean, double tension);

}  // namespace pentaglot
