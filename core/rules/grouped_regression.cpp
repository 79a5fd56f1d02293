#include "rules/grouped_regression.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/listening.hpp"

namespace pentaglot {

namespace {

class Newton {
  public:
    explicit Newton(GroupedRegression& problem) : at_(problem), size_(problem.weights.size()) {}

    void solve(std::uint32_t rounds) {
        double value = evaluate(at_.weights);
        for (std::uint32_t round = 0; round < rounds; ++round) {
            listen();
            differentiate();
            const double slope = find_direction();
            if (-slope < near_enough) return;
            tried_.resize(size_);
            double step = 1, found = value;
            for (; step > shortest_step; step /= 2) {
                for (std::size_t k = 0; k < size_; ++k) tried_[k] = at_.weights[k] + step * direction_[k];
                found = evaluate(tried_);
                if (found <= value + 1e-4 * step * slope) break;
            }
            if (found >= value) return;
            value = found;
            at_.weights = tried_;
        }
    }

  private:
    static constexpr double near_enough = 1e-6, shortest_step = 1e-4;

    // The loss; leaves the chance of a sentence of each group in chances_.
    double evaluate(std::span<const double> weights) {
        double total = 0;
        for (std::size_t k = 1; k < size_; ++k) total += at_.penalty / 2 * weights[k] * weights[k];
        chances_.resize(at_.sizes.size());
        for (std::size_t i = 0; i < at_.sizes.size(); ++i) {
            double odds = weights[0];
            for (std::size_t j = at_.begins[i]; j < at_.begins[i + 1]; ++j) odds += weights[1 + at_.present[j]];
            const double small = std::exp(-std::abs(odds));
            chances_[i] = odds > 0 ? 1 / (1 + small) : small / (1 + small);
            total += at_.sizes[i] * (std::max(odds, 0.0) + std::log1p(small)) - at_.labelled[i] * odds;
        }
        return total;
    }

    void differentiate() {
        slopes_.assign(size_, 0.0);
        curves_.assign(size_ * size_, 0.0);
        curves_[0] = least_curve;
        for (std::size_t k = 1; k < size_; ++k) {
            slopes_[k] = at_.penalty * at_.weights[k];
            curves_[k * size_ + k] = at_.penalty;
        }
        for (std::size_t i = 0; i < at_.sizes.size(); ++i) {
            const double slope = at_.sizes[i] * chances_[i] - at_.labelled[i];
            const double curve = at_.sizes[i] * chances_[i] * (1 - chances_[i]);
            slopes_[0] += slope;
            curves_[0] += curve;
            for (std::size_t j = at_.begins[i]; j < at_.begins[i + 1]; ++j) {
                const std::size_t row = 1 + std::size_t{at_.present[j]};
                slopes_[row] += slope;
                curves_[row * size_] += curve;
                // In ascending order, so that only one half of the matrix is filled.
                for (std::size_t before = at_.begins[i]; before <= j; ++before)
                    curves_[row * size_ + 1 + at_.present[before]] += curve;
            }
        }
    }

    // Solves curves * direction = -slopes by Cholesky's method; returns how the loss changes in this direction.
    double find_direction() {
        direction_.resize(size_);
        for (std::size_t row = 0; row < size_; ++row) {
            double* const own = &curves_[row * size_];
            for (std::size_t column = 0; column <= row; ++column) {
                const double* const other = &curves_[column * size_];
                double sum = own[column];
                for (std::size_t k = 0; k < column; ++k) sum -= own[k] * other[k];
                own[column] = column < row ? sum / other[column] : std::sqrt(std::max(sum, least_curve));
            }
            double sum = -slopes_[row];
            for (std::size_t k = 0; k < row; ++k) sum -= own[k] * direction_[k];
            direction_[row] = sum / own[row];
        }
        double slope = 0;
        for (std::size_t row = size_; row-- > 0;) {
            double sum = direction_[row];
            for (std::size_t k = row + 1; k < size_; ++k) sum -= curves_[k * size_ + row] * direction_[k];
            direction_[row] = sum / curves_[row * size_ + row];
            slope += direction_[row] * slopes_[row];
        }
        return slope;
    }

    static constexpr double least_curve = 1e-6;

    GroupedRegression& at_;
    std::size_t size_;
    std::vector<double> chances_, slopes_, curves_, direction_, tried_;
};

}  // namespace

void solve_regression(GroupedRegression& problem, std::uint32_t rounds) {
    Newton(problem).solve(rounds);
}

}  // namespace pentaglot
