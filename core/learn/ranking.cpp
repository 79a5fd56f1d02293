#include "learn/ranking.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t few = 200;  // features: their second derivatives take less time than conjugate gradients
constexpr std::size_t most_steps = 200;

double product(const std::vector<double>& one, const std::vector<double>& other) {
    double sum = 0.0;
    for (std::size_t at = 0; at < one.size(); ++at) sum += one[at] * other[at];
    return sum;
}

// Solves matrix · x = right, for a symmetric positive matrix of which the lower half is given; the right side becomes
// the solution (Cholesky).
void solve(std::vector<double>& matrix, std::vector<double>& right) {
    const std::size_t size = right.size();
    const auto cell = [&](std::size_t row, std::size_t column) -> double& { return matrix[row * size + column]; };
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t column = 0; column <= row; ++column) {
            double sum = cell(row, column);
            for (std::size_t at = 0; at < column; ++at) sum -= cell(row, at) * cell(column, at);
            if (row == column && !(sum > 0.0)) throw Error("second derivatives are not usable numbers");
            cell(row, column) = row == column ? std::sqrt(sum) : sum / cell(column, column);
        }
    }
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t at = 0; at < row; ++at) right[row] -= cell(row, at) * right[at];
        right[row] /= cell(row, row);
    }
    for (std::size_t row = size; row-- > 0;) {
        for (std::size_t at = row + 1; at < size; ++at) right[row] -= cell(at, row) * right[at];
        right[row] /= cell(row, row);
    }
}

}  // namespace

Ranking::Ranking(const CandidateLists& lists, std::span<const std::uint64_t> better,
                 std::span<const std::uint64_t> worse)
    : feature_count_(lists.feature_count) {
    if (better.size() != worse.size()) throw Error("every pair needs a better and a worse candidate");
    const SparseRows& rows = lists.features;
    for (std::size_t pair = 0; pair < better.size(); ++pair) {
        listen_at<4096>(pair);
        if (better[pair] >= lists.size() || worse[pair] >= lists.size()) throw Error("there is no such candidate");
        std::size_t a = rows.offsets[better[pair]], b = rows.offsets[worse[pair]];
        const std::size_t a_end = rows.offsets[better[pair] + 1], b_end = rows.offsets[worse[pair] + 1];
        while (a < a_end || b < b_end) {
            const bool take_a = b == b_end || (a < a_end && rows.ids[a] <= rows.ids[b]);
            const bool take_b = a == a_end || (b < b_end && rows.ids[b] <= rows.ids[a]);
            const double difference = (take_a ? double{rows.values[a]} : 0.0) - (take_b ? double{rows.values[b]} : 0.0);
            if (difference != 0.0) {
                places_.push_back(take_a ? rows.ids[a] : rows.ids[b]);
                values_.push_back(difference);
            }
            a += take_a;
            b += take_b;
        }
        offsets_.push_back(places_.size());
    }
    std::vector<std::uint32_t> place(feature_count_, 0);
    for (const std::uint32_t id : places_) place[id] = 1;
    for (std::uint32_t id = 0; id < feature_count_; ++id) {
        if (place[id] == 0) continue;
        place[id] = static_cast<std::uint32_t>(features_.size());
        features_.push_back(id);
    }
    for (std::uint32_t& each : places_) each = place[each];
}

Ranking::Numbers Ranking::own(std::span<const double> numbers) const {
    if (numbers.size() != feature_count_) throw Error("there are not as many weights as features");
    Numbers found;
    found.reserve(features_.size());
    for (const std::uint32_t id : features_) found.push_back(numbers[id]);
    return found;
}

double Ranking::dot(std::size_t pair, const Numbers& numbers) const {
    double sum = 0.0;
    for (std::size_t at = offsets_[pair]; at < offsets_[pair + 1]; ++at) sum += values_[at] * numbers[places_[at]];
    return sum;
}

void Ranking::add(std::size_t pair, double factor, Numbers& sums) const {
    for (std::size_t at = offsets_[pair]; at < offsets_[pair + 1]; ++at) sums[places_[at]] += factor * values_[at];
}

ValueAndGradient Ranking::value_and_gradient(std::span<const double> weights) const {
    const Numbers own_weights = own(weights);
    Numbers sums(features_.size(), 0.0);
    ValueAndGradient found;
    for (std::size_t pair = 0; pair < pairs(); ++pair) {
        listen_at<4096>(pair);
        const double margin = dot(pair, own_weights);
        // Whichever sign the margin has, only small numbers are exponentiated.
        const double small = std::exp(-std::abs(margin));
        found.value += std::log1p(small) + std::max(0.0, -margin);
        add(pair, -(margin > 0.0 ? small : 1.0) / (1.0 + small), sums);
    }
    found.gradient.assign(feature_count_, 0.0);
    for (std::size_t at = 0; at < features_.size(); ++at) found.gradient[features_[at]] = sums[at];
    return found;
}

Ranking::Numbers Ranking::curvatures(const Numbers& weights, double factor) const {
    Numbers found;
    found.reserve(pairs());
    for (std::size_t pair = 0; pair < pairs(); ++pair) {
        listen_at<4096>(pair);
        const double small = std::exp(-std::abs(dot(pair, weights)));
        found.push_back(factor * small / ((1.0 + small) * (1.0 + small)));
    }
    return found;
}

std::vector<double> Ranking::newton_step(std::span<const double> weights, std::span<const double> gradient,
                                         double factor, double curvature, double tolerance) const {
    if (!(curvature > 0.0) || !(factor >= 0.0) || !(tolerance > 0.0)) throw Error("a curvature is not positive");
    const Numbers curved = curvatures(own(weights), factor), right = own(gradient);
    const Numbers found =
        features_.size() <= few ? solved(curved, right, curvature) : approached(curved, right, curvature, tolerance);
    std::vector<double> step;
    for (const double each : gradient) step.push_back(each / curvature);
    for (std::size_t at = 0; at < features_.size(); ++at) step[features_[at]] = found[at];
    return step;
}

Ranking::Numbers Ranking::solved(const Numbers& curvatures, const Numbers& gradient, double curvature) const {
    const std::size_t size = gradient.size();
    Numbers matrix(size * size, 0.0), found = gradient;
    for (std::size_t pair = 0; pair < pairs(); ++pair) {
        listen_at<4096>(pair);
        for (std::size_t one = offsets_[pair]; one < offsets_[pair + 1]; ++one) {
            const double factor = curvatures[pair] * values_[one];
            double* const row = matrix.data() + places_[one] * size;
            for (std::size_t other = offsets_[pair]; other <= one; ++other)
                row[places_[other]] += factor * values_[other];
        }
    }
    for (std::size_t at = 0; at < size; ++at) matrix[at * size + at] += curvature;
    solve(matrix, found);
    return found;
}

// Conjugate gradients, with each feature scaled by its own second derivative.
Ranking::Numbers Ranking::approached(const Numbers& curvatures, const Numbers& gradient, double curvature,
                                     double tolerance) const {
    const std::size_t size = gradient.size();
    Numbers scales(size, curvature), found(size, 0.0), missing = gradient, scaled(size), bent(size);
    for (std::size_t pair = 0; pair < pairs(); ++pair) {
        for (std::size_t at = offsets_[pair]; at < offsets_[pair + 1]; ++at)
            scales[places_[at]] += curvatures[pair] * values_[at] * values_[at];
    }
    for (std::size_t at = 0; at < size; ++at) scaled[at] = missing[at] / scales[at];
    Numbers direction = scaled;
    double length = product(missing, scaled);
    const double enough = tolerance * tolerance * length;
    for (std::size_t step = 0; step < most_steps && length > enough; ++step) {
        for (std::size_t at = 0; at < size; ++at) bent[at] = curvature * direction[at];
        for (std::size_t pair = 0; pair < pairs(); ++pair) {
            listen_at<4096>(pair);
            add(pair, curvatures[pair] * dot(pair, direction), bent);
        }
        const double far = length / product(direction, bent), before = length;
        for (std::size_t at = 0; at < size; ++at) {
            found[at] += far * direction[at];
            missing[at] -= far * bent[at];
            scaled[at] = missing[at] / scales[at];
        }
        length = product(missing, scaled);
        for (std::size_t at = 0; at < size; ++at) direction[at] = scaled[at] + length / before * direction[at];
    }
    return found;
}

}  // namespace pentaglot
