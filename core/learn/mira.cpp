#include "learn/mira.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

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

Mira::Mira(const RoughScores& rough, const DistinctRows& statistics, std::span<const double> gains,
           std::span<const double> weights, MiraSettings settings)
    : rough_(rough),
      statistics_(statistics),
      lists_(rough.lists()),
      gains_(gains),
      weights_(weights.begin(), weights.end()),
      delayed_(weights.size(), 0.0),
      settings_(settings),
      background_(settings.decay),
      rough_gains_(statistics) {
    const CandidateLists& lists = lists_;
    if (weights.size() != lists.feature_count) throw Error("there are not as many weights as features");
    if (!gains.empty() && gains.size() != lists.size()) throw Error("there are not as many gains as candidates");
    if (gains.empty() && lists.size() > 0 && lists.width() != Background::width)
        throw Error("a pseudo-corpus needs the statistics of BLEU");
}

HopeAndFear Mira::hope_and_fear(std::size_t sentence) {
    if (sentence >= lists_.sentence_count()) throw Error("there is no such sentence");
    const std::size_t begin = lists_.sentences[sentence], size = lists_.sentences[sentence + 1] - begin;
    if (size == 0) throw Error("the sentence has no candidates");
    double error = rough_.of(sentence, weights_, scratch_);
    extra_.resize(scratch_.scores.size());
    if (gains_.empty()) {
        error += rough_gains_.of(sentence, background_, of_rows_);
        const std::uint32_t* const places = statistics_.places.data() + begin;
        for (std::size_t at = 0; at < size; ++at) extra_[at] = of_rows_[places[at]];
    } else {
        double largest = 0.0;
        for (std::size_t at = 0; at < size; ++at) {
            largest = std::max(largest, std::abs(gains_[begin + at]));
            extra_[at] = static_cast<float>(gains_[begin + at]);
        }
        error += 4e-7 * largest;
    }
    const std::size_t first = statistics_.offsets[sentence];
    const auto gain_of = [&](std::size_t at) {
        return gains_.empty() ? background_.gain(statistics_.row(first + statistics_.places[begin + at]))
                              : gains_[begin + at];
    };
    const auto hope = chosen(sentence, 1.0, error, gain_of), fear = chosen(sentence, -1.0, error, gain_of);
    return {begin + hope, begin + fear, gain_of(hope), gain_of(fear)};
}

template <typename Gain>
std::size_t Mira::chosen(std::size_t sentence, double sign, double error, const Gain& gain_of) {
    likely_best(scratch_.scores, extra_, static_cast<float>(sign), error, likely_);
    if (likely_.size() == 1) return likely_.front();
    std::size_t chosen = 0;
    double best = 0.0, of_chosen = 0.0;
    for (const std::uint32_t at : likely_) {
        const double score = lists_.features.dot(lists_.sentences[sentence] + at, weights_);
        const double value = score + sign * gain_of(at);
        if (at == likely_.front() || value > best || (value == best && score > of_chosen)) {
            chosen = at;
            best = value;
            of_chosen = score;
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
        const HopeAndFear found = hope_and_fear(sentence);
        update(found);
        ++visits_;
        if (gains_.empty()) background_.add(lists_.statistics_of(found.hope));
    }
}

std::vector<double> Mira::average() const {
    std::vector<double> mean = weights_;
    if (visits_ == 0) return mean;
    for (std::size_t at = 0; at < mean.size(); ++at) mean[at] -= delayed_[at] / static_cast<double>(visits_);
    return mean;
}

}  // namespace pentaglot
