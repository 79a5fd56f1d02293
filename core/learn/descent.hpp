#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/columns.hpp"
#include "learn/losses.hpp"
#include "learn/rough_scores.hpp"

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
    // Whether both sides of a loss are one candidate each, of all or of a sentence's own. Then rough scores will do,
    // and columns otherwise; the other pointer may be null.
    static bool of_one(const Loss& loss);

    Descent(const FeatureColumns* columns, const RoughScores* rough, const CandidateLists& lists, const Loss& loss,
            std::span<const double> costs, std::span<const double> weights, std::span<const double> anchor,
            DescentSettings settings);

    // From now on, keeps the upper side of the loss (hopes) of all sentences as it is under the present weights (CCCP).
    void freeze();
    // Visits the sentences in this order.
    void epoch(std::span<const std::uint32_t> order);

    std::vector<double> weights() const;
    // Goes on from other weights.
    void move(std::span<const double> weights);

  private:
    void visit(std::size_t sentence);
    bool teaches(std::size_t sentence) const;
    void shrink();
    void step(std::size_t candidate, double slope);
    void fold();
    // Where all candidates count.
    void score(std::size_t sentence);
    void find_slopes(std::size_t sentence);
    // Where one of each side does.
    std::size_t chosen(std::size_t sentence, const Side& side);
    void step_between(std::size_t sentence);

    const FeatureColumns* columns_;
    const RoughScores* rough_;
    const CandidateLists& lists_;
    Loss loss_;
    std::span<const double> costs_;
    std::vector<double> anchor_, moved_;
    std::vector<std::uint64_t> cheapest_;  // the first candidate of least cost of each sentence
    DescentSettings settings_;
    double scale_ = 1.0;

    std::vector<double> anchored_;  // scores of candidates under the anchor
    std::vector<double> frozen_;    // shares of candidates on the upper side; empty if nothing is frozen
    std::vector<double> scores_, slopes_;

    std::vector<std::uint64_t> hopes_;  // those frozen
    RoughScores::Scratch scratch_;
    std::vector<float> extra_;
    std::vector<std::uint32_t> likely_;
};

}  // namespace pentaglot
