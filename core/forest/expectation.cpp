#include "forest/expectation.hpp"

#include <cmath>

#include "base/error.hpp"
#include "forest/inside.hpp"

namespace pentaglot {
namespace {

void check_values(const Forest& forest, std::span<const double> values) {
    if (values.size() != forest.edges()) throw Error("there must be one value for each edge of the forest");
    for (const double value : values) {
        if (!std::isfinite(value)) throw Error("the values of a forest's edges must be finite");
    }
}

}  // namespace

std::vector<double> posteriors(const Forest& forest, std::span<const double> scores) {
    check_scores(forest, scores);
    const auto weight = [&](EdgeId edge) { return scores[edge]; };
    const auto in = inside<LogSemiring>(forest, weight);
    const double total = in[forest.goal()];
    if (total == LogSemiring::zero()) return std::vector<double>(forest.edges(), 0.0);
    const auto out = outside<LogSemiring>(forest, weight, in);
    auto totals = edge_totals<LogSemiring>(forest, weight, in, out);
    for (double& value : totals) value = std::exp(value - total);
    return totals;
}

std::vector<double> summed_features(const Forest& forest, std::span<const double> factors, std::size_t features) {
    check_values(forest, factors);
    std::vector<double> sums(features, 0.0);
    for (EdgeId edge = 0; edge < forest.edges(); ++edge) {
        const auto ids = forest.feature_ids(edge);
        const auto values = forest.feature_values(edge);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (ids[i] < features) sums[ids[i]] += factors[edge] * static_cast<double>(values[i]);
        }
    }
    return sums;
}

SecondExpectation expectations(const Forest& forest, std::span<const double> scores, std::span<const double> first,
                               std::span<const double> second) {
    check_scores(forest, scores);
    check_values(forest, first);
    check_values(forest, second);
    return inside<SecondExpectationSemiring>(forest, [&](EdgeId edge) {
        return SecondExpectation{scores[edge], first[edge], second[edge], first[edge] * second[edge]};
    })[forest.goal()];
}

std::vector<double> covariances(const Forest& forest, std::span<const double> scores, std::span<const double> values,
                                std::size_t features) {
    check_scores(forest, scores);
    check_values(forest, values);
    const auto weight = [&](EdgeId edge) { return Expectation{scores[edge], values[edge]}; };
    const auto in = inside<ExpectationSemiring>(forest, weight);
    const Expectation total = in[forest.goal()];
    if (total.log_weight == LogSemiring::zero()) return std::vector<double>(features, 0.0);
    const auto out = outside<ExpectationSemiring>(forest, weight, in);
    const auto uses = edge_totals<ExpectationSemiring>(forest, weight, in, out);
    std::vector<double> factors(forest.edges());
    for (std::size_t edge = 0; edge < factors.size(); ++edge) {
        factors[edge] = std::exp(uses[edge].log_weight - total.log_weight) * (uses[edge].mean - total.mean);
    }
    return summed_features(forest, factors, features);
}

}  // namespace pentaglot
