#include "learn/mira.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t max_order = 4;
constexpr std::size_t bleu_width = 2 + 2 * max_order;

// Squared length of the difference of two rows, whose ids rise.
double squared_distance(const SparseRows& rows, std::size_t one, std::size_t other) {
    std::size_t a = rows.offsets[one], b = rows.offsets[other];
    const std::size_t a_end = rows.offsets[one + 1], b_end = rows.offsets[other + 1];
    double sum = 0.0;
    while (a < a_end || b < b_end) {
        const bool take_a = b == b_end || (a < a_end && rows.ids[a] <= rows.ids[b]);
        const bool take_b = a == a_end || (b < b_end && rows.ids[b] <= rows.ids[a]);
        const double difference = (take_a ? double{rows.values[a]} : 0.0) - (take_b ? double{rows.values[b]} : 0.0);
        sum += difference * difference;
        a += take_a;
        b += take_b;
    }
    return sum;
}

}  // namespace

double Background::gain(std::span<const double> statistics) const {
    double precision = 1.0;
    for (std::size_t n = 2; n < 2 + max_order; ++n) {
        precision *= (statistics[n] + totals_[n] + 1.0) / (statistics[n + max_order] + totals_[n + max_order] + 1.0);
    }
    const double length = statistics[0] + totals_[0] + 1.0, reference = statistics[1] + totals_[1] + 1.0;
    const double brevity = length < reference ? std::exp(1.0 - reference / length) : 1.0;
    return std::sqrt(std::sqrt(precision)) * brevity * reference;
}

void Background::add(std::span<const double> statistics) {
    for (std::size_t at = 0; at < totals_.size(); ++at) totals_[at] = decay_ * totals_[at] + statistics[at];
}

Mira::Mira(const CandidateLists& lists, std::span<const double> gains, std::span<const double> weights,
           MiraSettings settings)
    : lists_(lists),
      gains_(gains),
      weights_(weights.begin(), weights.end()),
      delayed_(weights.size(), 0.0),
      settings_(settings),
      background_(settings.decay) {
    if (weights.size() != lists.feature_count) throw Error("there are not as many weights as features");
    if (!gains.empty() && gains.size() != lists.size()) throw Error("there are not as many gains as candidates");
    if (gains.empty() && lists.size() > 0 && lists.width() != bleu_width)
        throw Error("a pseudo-corpus needs the statistics of BLEU");
}

HopeAndFear Mira::hope_and_fear(std::size_t sentence) const {
    if (sentence >= lists_.sentence_count()) throw Error("there is no such sentence");
    const std::size_t begin = lists_.sentences[sentence], end = lists_.sentences[sentence + 1];
    if (begin == end) throw Error("the sentence has no candidates");
    HopeAndFear chosen{begin, begin, 0.0, 0.0};
    double hope_score = 0.0, fear_score = 0.0;
    for (std::size_t candidate = begin; candidate < end; ++candidate) {
        const double score = lists_.features.dot(candidate, weights_);
        const double gain = gains_.empty() ? background_.gain(lists_.statistics_of(candidate)) : gains_[candidate];
        const double hope = score + gain, best_hope = hope_score + chosen.hope_gain;
        const double fear = score - gain, best_fear = fear_score - chosen.fear_gain;
        if (candidate == begin || hope > best_hope || (hope == best_hope && score > hope_score)) {
            chosen.hope = candidate;
            chosen.hope_gain = gain;
            hope_score = score;
        }
        if (candidate == begin || fear > best_fear || (fear == best_fear && score > fear_score)) {
            chosen.fear = candidate;
            chosen.fear_gain = gain;
            fear_score = score;
        }
    }
    return chosen;
}

void Mira::update(const HopeAndFear& chosen) {
    const SparseRows& rows = lists_.features;
    const double margin = rows.dot(chosen.hope, weights_) - rows.dot(chosen.fear, weights_);
    const double loss = chosen.hope_gain - chosen.fear_gain - margin;
    const double distance = squared_distance(rows, chosen.hope, chosen.fear);
    if (!(loss > 0.0) || distance == 0.0) return;
    const double step = std::min(settings_.strength, loss / distance);
    const auto move = [&](std::size_t row, double amount) {
        for (std::size_t at = rows.offsets[row]; at < rows.offsets[row + 1]; ++at) {
            const double by = amount * double{rows.values[at]};
            weights_[rows.ids[at]] += by;
            delayed_[rows.ids[at]] += static_cast<double>(visits_) * by;
        }
    };
    move(chosen.hope, step);
    move(chosen.fear, -step);
}

void Mira::epoch(std::span<const std::uint32_t> order) {
    for (const std::uint32_t sentence : order) {
        if (sentence >= lists_.sentence_count()) throw Error("there is no such sentence");
        if (lists_.sentences[sentence] == lists_.sentences[sentence + 1]) continue;
        listen();
        const HopeAndFear chosen = hope_and_fear(sentence);
        update(chosen);
        ++visits_;
        if (gains_.empty()) background_.add(lists_.statistics_of(chosen.hope));
    }
}

std::vector<double> Mira::average() const {
    std::vector<double> mean = weights_;
    if (visits_ == 0) return mean;
    for (std::size_t at = 0; at < mean.size(); ++at) mean[at] -= delayed_[at] / static_cast<double>(visits_);
    return mean;
}

}  // namespace pentaglot
