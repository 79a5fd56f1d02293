#include "learn/sides.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace pentaglot {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// Whether a candidate belongs to a side.
class Members {
  public:
    Members(Over over, std::span<const double> costs) : over_(over), costs_(costs) {
        first_ = static_cast<std::size_t>(std::ranges::min_element(costs) - costs.begin());
    }
    bool operator()(std::size_t at) const {
        if (over_ == Over::all) return true;
        return over_ == Over::reference ? at == first_ : costs_[at] == costs_[first_];
    }

  private:
    Over over_;
    std::span<const double> costs_;
    std::size_t first_;
};

// The candidate with the largest score + factor * cost.
std::size_t best_of(const Side& side, const Members& in, std::span<const double> scores,
                    std::span<const double> costs) {
    std::size_t best = scores.size();
    double top = nothing;
    for (std::size_t at = 0; at < scores.size(); ++at) {
        if (!in(at)) continue;
        const double value = scores[at] + side.factor * costs[at];
        if (best == scores.size() || value > top || (value == top && scores[at] > scores[best])) {
            best = at;
            top = value;
        }
    }
    return best;
}

}  // namespace

double side_value(const Side& side, std::span<const double> scores, std::span<const double> costs,
                  std::span<double> shares) {
    const Members in(side.over, costs);
    const std::size_t best = best_of(side, in, scores, costs);
    const double top = scores[best] + side.factor * costs[best];
    std::ranges::fill(shares, 0.0);
    if (!side.soft) {
        shares[best] = 1.0;
        return top;
    }
    double total = 0.0;
    for (std::size_t at = 0; at < scores.size(); ++at) {
        if (in(at)) total += shares[at] = std::exp(scores[at] + side.factor * costs[at] - top);
    }
    for (double& share : shares) share /= total;
    return top + std::log(total);
}

}  // namespace pentaglot
