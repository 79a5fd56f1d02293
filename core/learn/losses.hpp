#pragma once

#include <span>
#include <vector>

#include "learn/columns.hpp"
#include "learn/sides.hpp"

namespace pentaglot {

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
