#pragma once

#include <cstdint>
#include <span>

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

// The value of one side alone, and the shares of its candidates: how it changes with their scores.
double side_value(const Side& side, std::span<const double> scores, std::span<const double> costs,
                  std::span<double> shares);

}  // namespace pentaglot
