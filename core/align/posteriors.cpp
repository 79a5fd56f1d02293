#include "align/posteriors.hpp"

#include <algorithm>
#include <cmath>

#include "align/diagonal.hpp"

namespace pentaglot {

void Trellis::resize(std::size_t new_states, std::size_t new_observations) {
    states = new_states;
    observations = new_observations;
    stride = (states + 3) / 4 * 4;
    emission.assign(observations * stride, 0.0);
    posterior.assign(observations * stride, 0.0);
    null_emission.assign(observations, 0.0);
    null_posterior.assign(observations, 0.0);
}

namespace {

// Turns weights of an observation into posteriors and returns their sum.
double normalise(double* posterior, double& null_posterior, std::size_t states) {
    double total = null_posterior;
    for (std::size_t i = 0; i < states; ++i) total += posterior[i];
    const double scale = 1 / total;
    for (std::size_t i = 0; i < states; ++i) posterior[i] *= scale;
    null_posterior *= scale;
    return total;
}

}  // namespace

double model1_posteriors(Trellis& trellis, double null_probability) {
    const double share = (1 - null_probability) / static_cast<double>(trellis.states);
    double log_likelihood = 0;
    for (std::size_t j = 0; j < trellis.observations; ++j) {
        const double* emission = trellis.emission.data() + j * trellis.stride;
        double* posterior = trellis.posterior.data() + j * trellis.stride;
        for (std::size_t i = 0; i < trellis.states; ++i) posterior[i] = emission[i] * share;
        trellis.null_posterior[j] = trellis.null_emission[j] * null_probability;
        log_likelihood += std::log(normalise(posterior, trellis.null_posterior[j], trellis.states));
    }
    return log_likelihood;
}

double diagonal_posteriors(Trellis& trellis, double null_probability, double tension, double& expected_distance) {
    double log_likelihood = 0;
    DiagonalPrior prior(trellis.states, trellis.observations, tension);
    for (std::size_t j = 0; j < trellis.observations; ++j) {
        const double* emission = trellis.emission.data() + j * trellis.stride;
        double* posterior = trellis.posterior.data() + j * trellis.stride;
        const double total = prior.weigh(j, posterior);
        const double share = (1 - null_probability) / total;
        for (std::size_t i = 0; i < trellis.states; ++i) posterior[i] *= emission[i] * share;
        trellis.null_posterior[j] = trellis.null_emission[j] * null_probability;
        log_likelihood += std::log(normalise(posterior, trellis.null_posterior[j], trellis.states));
        for (std::size_t i = 0; i < trellis.states; ++i) expected_distance += posterior[i] * prior.distance(j, i);
    }
    return log_likelihood;
}

}  // namespace pentaglot
