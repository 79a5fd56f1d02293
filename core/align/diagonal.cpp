#include "align/diagonal.hpp"

#include <algorithm>

namespace pentaglot {

namespace {

// Sums of weight and of weight * distance over a series that begins at `first` and recedes from the diagonal by `step`
// for each of `terms` terms: weight = exp(tension * distance).
struct Series {
    double weight = 0;
    double weighted_distance = 0;

    Series(double tension, double first, double step, std::size_t terms) {
        const auto n = static_cast<double>(terms);
        const double ratio = std::exp(-tension * step);
        const double begin = std::exp(tension * first);
        if (terms == 0) return;
        if (1 - ratio < 1e-9) {
            weight = n;
            weighted_distance = n * first - step * n * (n - 1) / 2;
            return;
        }
        const double last = std::exp(-tension * step * n);  // ratio^n
        const double sum = (1 - last) / (1 - ratio);
        const double arithmetic = ratio * (1 - n * last / ratio + (n - 1) * last) / ((1 - ratio) * (1 - ratio));
        weight = begin * sum;
        weighted_distance = begin * (first * sum - step * arithmetic);
    }
};

}  // namespace

double DiagonalPrior::expected(std::size_t j) const {
    const std::size_t below = (j + 1) * states_ / observations_;
    const double step = 1 / static_cast<double>(states_);
    const Series under(tension_, below > 0 ? distance(j, below - 1) : 0, step, below);
    const Series over(tension_, below < states_ ? distance(j, below) : 0, step, states_ - below);
    return (under.weighted_distance + over.weighted_distance) / (under.weight + over.weight);
}

double better_tension(const LengthCounts& lengths, double observed_mean, double tension) {
    constexpr int steps = 8;
    constexpr double step_size = 20, least = 0.1, most = 30;
    for (int step = 0; step < steps; ++step) {
        double total = 0, words = 0;
        for (const auto& [lengths_of_pair, count] : lengths) {
            const auto [states, observations] = lengths_of_pair;
            const DiagonalPrior prior(states, observations, tension);
            double sum = 0;
            for (std::size_t j = 0; j < observations; ++j) sum += prior.expected(j);
            total += sum * static_cast<double>(count);
            words += static_cast<double>(observations) * static_cast<double>(count);
        }
        tension = std::clamp(tension + step_size * (observed_mean - total / words), least, most);
    }
    return tension;
}

}  // namespace pentaglot
