#include "order/precedence.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

Precedence::Precedence(std::size_t words, std::vector<double> turned) : size_(words), turned_(std::move(turned)) {
    if (words > no_position || turned_.size() != words * words)
        throw Error("there must be one probability for each pair of words");
    for (const double each : turned_) {
        if (!(each >= 0.0 && each <= 1.0)) throw Error("the probability of an order is not between 0 and 1");
    }
}

// A difference array: its prefix sums are the values.
void Precedence::add(std::size_t begin, std::size_t middle, std::size_t from, std::size_t end, double probability) {
    const auto put = [&](std::size_t u, std::size_t v, double value) {
        if (u < size_ && v < size_) turned_[u * size_ + v] += value;
    };
    put(begin, from, probability);
    put(middle, from, -probability);
    put(begin, end, -probability);
    put(middle, end, probability);
}

void Precedence::sum() {
    for (std::size_t u = 0; u < size_; ++u) {
        double row = 0.0;
        for (std::size_t v = 0; v < size_; ++v) {
            row += turned_[u * size_ + v];
            turned_[u * size_ + v] = row + (u > 0 ? turned_[(u - 1) * size_ + v] : 0.0);
        }
    }
    for (double& value : turned_) value = value > 0.0 ? std::min(value, 1.0) : 0.0;  // NaN becomes 0
}

void Precedence::doubt_far(std::size_t reach, double far, std::span<const Position> places) {
    if (reach == 0 || !(far > 0.0)) return;
    std::vector<double> shares(size_, 1.0);  // by distance
    for (std::size_t distance = 1; distance < size_; ++distance) {
        if (distance > reach)
            shares[distance] = std::pow(static_cast<double>(reach) / static_cast<double>(distance), far);
    }
    for (std::size_t u = 0; u < size_; ++u) {
        for (std::size_t v = u + 1; v < size_; ++v) turned_[u * size_ + v] *= shares[places[v] - places[u]];
    }
}

double Precedence::expected_loss(std::span<const Position> order) const {
    double loss = 0.0;
    for (std::size_t x = 0; x < order.size(); ++x) {
        for (std::size_t y = x + 1; y < order.size(); ++y) loss += before(order[y], order[x]);
    }
    const auto pairs = static_cast<double>(order.size() * (order.size() - 1)) / 2;
    return order.size() < 2 ? 0.0 : loss / pairs;
}

std::vector<Position> best_binary_order(const Precedence& precedence) {
    const std::size_t n = precedence.size();
    // sums[u][v]: of all turned(u', v') with u' < u and v' < v, so that a rectangle is four of them.
    std::vector<double> sums((n + 1) * (n + 1), 0.0);
    for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < n; ++v) {
            const double value = u < v ? precedence.turned(u, v) : 0.0;
            sums[(u + 1) * (n + 1) + v + 1] =
                value + sums[u * (n + 1) + v + 1] + sums[(u + 1) * (n + 1) + v] - sums[u * (n + 1) + v];
        }
    }
    const auto rectangle = [&](std::size_t i, std::size_t k, std::size_t j) {
        const auto at = [&](std::size_t u, std::size_t v) { return sums[u * (n + 1) + v]; };
        return at(k, j) - at(i, j) - at(k, k) + at(i, k);
    };
    struct Best {
        double score = 0.0;
        std::size_t split = 0;
        bool turned = false;
    };
    std::vector<Best> best((n + 1) * (n + 1));
    for (std::size_t length = 2; length <= n; ++length) {
        for (std::size_t i = 0; i + length <= n; ++i) {
            listen_at<16>(i);
            const std::size_t j = i + length;
            Best& own = best[i * (n + 1) + j];
            own.score = -1.0;
            for (std::size_t k = i + 1; k < j; ++k) {
                const double inverted_pairs = rectangle(i, k, j);
                const double kept_pairs = static_cast<double>((k - i) * (j - k)) - inverted_pairs;
                const bool turned = inverted_pairs > kept_pairs;
                const double score =
                    best[i * (n + 1) + k].score + best[k * (n + 1) + j].score + std::max(inverted_pairs, kept_pairs);
                if (score > own.score + 1e-12) own = {score, k, turned};
            }
        }
    }
    std::vector<Position> order;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, n}};
    while (!open.empty() && n > 0) {
        const auto [i, j] = open.back();
        open.pop_back();
        if (j == i + 1) {
            order.push_back(static_cast<Position>(i));
            continue;
        }
        const Best& own = best[i * (n + 1) + j];
        open.emplace_back(own.turned ? i : own.split, own.turned ? own.split : j);  // comes last
        open.emplace_back(own.turned ? own.split : i, own.turned ? j : own.split);
    }
    return order;
}

}  // namespace pentaglot
