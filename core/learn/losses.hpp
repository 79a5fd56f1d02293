#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/columns.hpp"

namespace pentaglot {

// Which candidates of a sentence one side of a loss looks at.
enum class Over : std::uint8_t {
    all,
    reference,   // the first of those with the least cost: it stands for the reference
    references,  // all with the least cost: derivations of the reference, or of what is nearest to it
};

// One side of a loss: the largest score + factor * cost, or (soft) the logarithm of the sum of their exponentials.
struct Side {
    bool soft = false;
    double factor = 0.0;
    Over over = Over::all;
};

// What a sentence costs: -up + down (Gimpel 2012, table 3.1); or the mean cost of a candidate drawn by its score
// (risk).
struct Loss {
    Side up, down;
    bool risk = false;
    bool reached = false;  // sentences whose reference is not among the candidates (no cost is 0) teach nothing
};

// The loss of one sentence, and how it changes with the score of each candidate. Of equal candidates the one with the
// higher score counts, then the first.
double sentence_loss(const Loss& loss, std::span<const double> scores, std::span<const double> costs,
                     std::span<double> slopes);

// The value of one side alone, and the shares of its candidates: how it changes with their scores.
double side_value(const Side& side, std::span<const double> scores, std::span<const double> costs,
                  std::span<double> shares);

struct ValueAndGradient {
    double value = 0.0;
    std::vector<double> gradient;
};

// The sum over sentences, and its gradient with respect to the weights.
ValueAndGradient total_loss(const FeatureColumns& columns, const Loss& loss, std::span<const double> costs,
                            std::span<const double> weights, unsigned threads);

// The sum over candidates of factor * feature vector.
std::vector<double> combined(const CandidateLists& lists, std::span<const double> factors);

// Throws Error unless there is one finite cost for each candidate.
void check_costs(const CandidateLists& lists, std::span<const double> costs);

}  // namespace pentaglot
