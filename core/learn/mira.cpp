#include "learn/mira.hpp"

#include <algorithm>
#include <array>
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

double Background::gain(std::span<const double> statistics) {
    std::array<double, max_order> precisions;  // side by side: divisions are what takes time here
    for (std::size_t n = 0; n < max_order; ++n) {
        const std::size_t at = 2 + n;
        precisions[n] =
            (statistics[at] + totals_[at] + 1.0) / (statistics[at + max_order] + totals_[at + max_order] + 1.0);
    }
    const double precision = precisions[0] * precisions[1] * precisions[2] * precisions[3];
    const double length = statistics[0] + totals_[0] + 1.0, reference = statistics[1] + totals_[1] + 1.0;
    return std::sqrt(std::sqrt(precision)) * brevity(length, reference) * reference;
}

double Background::brevity(double length, double reference) {
    if (!(length < reference)) return 1.0;
    const double place = std::clamp(length, 0.0, 1e15);
    Known& known = known_[static_cast<std::uint64_t>(place) % known_.size()];
    if (known.length != length || known.reference != reference)
        known = {length, reference, std::exp(1.0 - reference / length)};
    return known.brevity;
}

void Background::add(std::span<const double> statistics) {
    for (std::size_t at = 0; at < totals_.size(); ++at) totals_[at] = decay_ * totals_[at] + statistics[at];
}

Mira::Mira(const FeatureColumns& columns, std::span<const double> gains, std::span<const double> weights,
           MiraSettings settings)
    : columns_(columns),
      lists_(columns.lists()),
      gains_(gains),
      weights_(weights.begin(), weights.end()),
      delayed_(weights.size(), 0.0),
      settings_(settings),
      background_(settings.decay) {
    const CandidateLists& lists = lists_;
    if (weights.size() != lists.feature_count) throw Error("there are not as many weights as features");
    if (!gains.empty() && gains.size() != lists.size()) throw Error("there are not as many gains as candidates");
    if (gains.empty() && lists.size() > 0 && lists.width() != bleu_width)
        throw Error("a pseudo-corpus needs the statistics of BLEU");
}

HopeAndFear Mira::hope_and_fear(std::size_t sentence) {
    if (sentence >= lists_.sentence_count()) throw Error("there is no such sentence");
    const std::size_t begin = lists_.sentences[sentence], end = lists_.sentences[sentence + 1];
    if (begin == end) throw Error("the sentence has no candidates");
    columns_.scores(sentence, weights_, scores_);
    const DistinctRows& statistics = columns_.statistics();
    if (gains_.empty()) {
        found_.clear();
        for (std::size_t row = statistics.offsets[sentence]; row < statistics.offsets[sentence + 1]; ++row)
            found_.push_back(background_.gain(statistics.row(row)));
    }
    const auto of_row = [&](std::size_t candidate) { return found_[statistics.places[candidate]]; };
    const auto given = [&](std::size_t candidate) { return gains_[candidate]; };
    return gains_.empty() ? chosen_by(begin, of_row) : chosen_by(begin, given);
}

template <typename Gain>
HopeAndFear Mira::chosen_by(std::size_t begin, const Gain& gain_of) const {
    HopeAndFear chosen{begin, begin, gain_of(begin), gain_of(begin)};
    double best_hope = scores_[0] + chosen.hope_gain, best_fear = scores_[0] - chosen.fear_gain;
    for (std::size_t at = 1; at < scores_.size(); ++at) {
        const double score = scores_[at], gain = gain_of(begin + at), hope = score + gain, fear = score - gain;
        if (hope > best_hope || (hope == best_hope && score > scores_[chosen.hope - begin])) {
            chosen.hope = begin + at;
            best_hope = hope;
        }
        if (fear > best_fear || (fear == best_fear && score > scores_[chosen.fear - begin])) {
            chosen.fear = begin + at;
            best_fear = fear;
        }
    }
    chosen.hope_gain = gain_of(chosen.hope);
    chosen.fear_gain = gain_of(chosen.fear);
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
