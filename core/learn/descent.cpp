#include "learn/descent.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

bool Descent::of_one(const Loss& loss) {
    const auto single = [](const Side& side) { return !side.soft && side.over != Over::references; };
    return !loss.risk && single(loss.up) && single(loss.down);
}

Descent::Descent(const FeatureColumns* columns, const RoughScores* rough, const CandidateLists& lists, const Loss& loss,
                 std::span<const double> costs, std::span<const double> weights, std::span<const double> anchor,
                 DescentSettings settings)
    : columns_(columns),
      rough_(of_one(loss) ? rough : nullptr),
      lists_(lists),
      loss_(loss),
      costs_(costs),
      anchor_(anchor.begin(), anchor.end()),
      settings_(settings) {
    check_costs(lists, costs);
    if (weights.size() != lists.feature_count || anchor.size() != weights.size())
        throw Error("there are not as many weights as features");
    const auto finite = [](double each) { return std::isfinite(each); };
    if (!std::ranges::all_of(weights, finite) || !std::ranges::all_of(anchor, finite))
        throw Error("a weight is not a finite number");
    const double share =
        settings.rate * settings.strength / static_cast<double>(std::max<std::size_t>(1, lists.sentence_count()));
    if (!(settings.rate > 0.0) || !(settings.strength >= 0.0) || !(share < 1.0))
        throw Error("the rate of descent is not positive, or too large for the strength of the penalty");
    for (std::size_t at = 0; at < weights.size(); ++at) moved_.push_back(weights[at] - anchor[at]);
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        const auto own =
            costs.subspan(lists.sentences[sentence], lists.sentences[sentence + 1] - lists.sentences[sentence]);
        cheapest_.push_back(lists.sentences[sentence] +
                            static_cast<std::size_t>(std::ranges::min_element(own) - own.begin()));
    }
    if (rough_ == nullptr) anchored_ = scores(*columns, anchor_);
}

void Descent::score(std::size_t sentence) {
    columns_->scores(sentence, moved_, scores_);
    const double* const anchored = anchored_.data() + lists_.sentences[sentence];
    for (std::size_t at = 0; at < scores_.size(); ++at) scores_[at] = anchored[at] + scale_ * scores_[at];
    slopes_.assign(scores_.size(), 0.0);
}

void Descent::freeze() {
    if (rough_ != nullptr) {
        hopes_.assign(lists_.sentence_count(), 0);
    } else {
        frozen_.assign(lists_.size(), 0.0);
    }
    if (loss_.risk) return;
    for (std::size_t sentence = 0; sentence < lists_.sentence_count(); ++sentence) {
        listen_at<64>(sentence);
        const std::size_t begin = lists_.sentences[sentence], size = lists_.sentences[sentence + 1] - begin;
        if (size == 0) continue;
        if (rough_ != nullptr) {
            hopes_[sentence] = chosen(sentence, loss_.up);
            continue;
        }
        score(sentence);
        side_value(loss_.up, scores_, costs_.subspan(begin, size), std::span(frozen_).subspan(begin, size));
    }
}

bool Descent::teaches(std::size_t sentence) const {
    if (lists_.sentences[sentence] == lists_.sentences[sentence + 1]) return false;
    return !(loss_.reached && costs_[cheapest_[sentence]] > 1e-9);
}

void Descent::visit(std::size_t sentence) {
    if (rough_ != nullptr) return step_between(sentence);
    find_slopes(sentence);
    shrink();
    for (std::size_t at = 0; at < slopes_.size(); ++at) step(lists_.sentences[sentence] + at, slopes_[at]);
}

void Descent::find_slopes(std::size_t sentence) {
    const std::size_t begin = lists_.sentences[sentence];
    score(sentence);
    if (!teaches(sentence)) return;
    const auto costs = costs_.subspan(begin, scores_.size());
    if (frozen_.empty() || loss_.risk) {
        sentence_loss(loss_, scores_, costs, slopes_);
        return;
    }
    side_value(loss_.down, scores_, costs, slopes_);
    for (std::size_t at = 0; at < slopes_.size(); ++at) slopes_[at] -= frozen_[begin + at];
}

// The same candidate as that of `side_value`.
std::size_t Descent::chosen(std::size_t sentence, const Side& side) {
    if (side.over == Over::reference) return cheapest_[sentence];
    const std::size_t begin = lists_.sentences[sentence], size = lists_.sentences[sentence + 1] - begin;
    double error = rough_->of(
        sentence, [&](std::uint32_t id) { return anchor_[id] + scale_ * moved_[id]; },
        [&](std::uint32_t id) { return std::abs(anchor_[id]) + std::abs(scale_ * moved_[id]); }, scratch_);
    extra_.resize(side.factor == 0.0 ? 0 : scratch_.scores.size());
    double largest = 0.0;
    for (std::size_t at = 0; at < size && !extra_.empty(); ++at) {
        largest = std::max(largest, std::abs(costs_[begin + at]));
        extra_[at] = static_cast<float>(costs_[begin + at]);
    }
    error += 4e-7 * largest * std::abs(side.factor);
    likely_best(scratch_.scores, extra_, static_cast<float>(side.factor), error, likely_);
    if (likely_.size() == 1) return begin + likely_.front();
    std::size_t best = 0;
    double top = 0.0, of_best = 0.0;
    for (const std::uint32_t at : likely_) {
        const SparseRows& rows = lists_.features;
        const double score = rows.dot(begin + at, anchor_) + scale_ * rows.dot(begin + at, moved_);
        const double value = score + side.factor * costs_[begin + at];
        if (at == likely_.front() || value > top || (value == top && score > of_best)) {
            best = begin + at;
            top = value;
            of_best = score;
        }
    }
    return best;
}

void Descent::step_between(std::size_t sentence) {
    std::size_t up = 0, down = 0;
    if (teaches(sentence)) {
        up = hopes_.empty() ? chosen(sentence, loss_.up) : hopes_[sentence];
        down = chosen(sentence, loss_.down);
    }
    shrink();
    if (up == down) return;
    // In the order of candidates, as if all had slopes.
    step(std::min(up, down), up < down ? -1.0 : 1.0);
    step(std::max(up, down), up < down ? 1.0 : -1.0);
}

void Descent::shrink() {
    scale_ *= 1.0 - settings_.rate * settings_.strength / static_cast<double>(lists_.sentence_count());
    if (scale_ < 1e-100) fold();
}

void Descent::step(std::size_t candidate, double slope) {
    if (slope == 0.0) return;
    const double step = -settings_.rate * slope / scale_;
    const auto ids = lists_.features.ids_of(candidate);
    const auto values = lists_.features.values_of(candidate);
    for (std::size_t at = 0; at < ids.size(); ++at) moved_[ids[at]] += step * double{values[at]};
}

void Descent::fold() {
    for (double& each : moved_) each *= scale_;
    scale_ = 1.0;
}

void Descent::epoch(std::span<const std::uint32_t> order) {
    for (std::size_t visited = 0; visited < order.size(); ++visited) {
        listen_at<64>(visited);
        if (order[visited] >= lists_.sentence_count()) throw Error("there is no such sentence");
        visit(order[visited]);
    }
}

void Descent::move(std::span<const double> weights) {
    if (weights.size() != anchor_.size()) throw Error("there are not as many weights as features");
    if (!std::ranges::all_of(weights, [](double each) { return std::isfinite(each); }))
        throw Error("a weight is not a finite number");
    for (std::size_t at = 0; at < weights.size(); ++at) moved_[at] = weights[at] - anchor_[at];
    scale_ = 1.0;
}

std::vector<double> Descent::weights() const {
    std::vector<double> found(anchor_);
    for (std::size_t at = 0; at < found.size(); ++at) found[at] += scale_ * moved_[at];
    return found;
}

}  // namespace pentaglot
