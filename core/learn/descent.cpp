#include "learn/descent.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

Descent::Descent(const FeatureColumns& columns, const Loss& loss, std::span<const double> costs,
                 std::span<const double> weights, std::span<const double> anchor, DescentSettings settings)
    : columns_(columns),
      lists_(columns.lists()),
      loss_(loss),
      costs_(costs),
      anchor_(anchor.begin(), anchor.end()),
      settings_(settings) {
    const CandidateLists& lists = lists_;
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
    anchored_ = scores(columns, anchor_);
}

void Descent::score(std::size_t sentence) {
    columns_.scores(sentence, moved_, scores_);
    const double* const anchored = anchored_.data() + lists_.sentences[sentence];
    for (std::size_t at = 0; at < scores_.size(); ++at) scores_[at] = anchored[at] + scale_ * scores_[at];
    slopes_.assign(scores_.size(), 0.0);
}

void Descent::freeze() {
    frozen_.assign(lists_.size(), 0.0);
    if (loss_.risk) return;
    for (std::size_t sentence = 0; sentence < lists_.sentence_count(); ++sentence) {
        listen_at<64>(sentence);
        const std::size_t begin = lists_.sentences[sentence];
        score(sentence);
        if (scores_.empty()) continue;
        side_value(loss_.up, scores_, costs_.subspan(begin, scores_.size()),
                   std::span(frozen_).subspan(begin, scores_.size()));
    }
}

void Descent::visit(std::size_t sentence) {
    const std::size_t begin = lists_.sentences[sentence];
    score(sentence);
    const auto costs = costs_.subspan(begin, scores_.size());
    const bool taught = !scores_.empty() && !(loss_.reached && *std::ranges::min_element(costs) > 1e-9);
    if (taught && (frozen_.empty() || loss_.risk)) {
        sentence_loss(loss_, scores_, costs, slopes_);
    } else if (taught) {
        side_value(loss_.down, scores_, costs, slopes_);
        for (std::size_t at = 0; at < slopes_.size(); ++at) slopes_[at] -= frozen_[begin + at];
    }
    scale_ *= 1.0 - settings_.rate * settings_.strength / static_cast<double>(lists_.sentence_count());
    if (scale_ < 1e-100) fold();
    for (std::size_t at = 0; at < slopes_.size(); ++at) {
        if (slopes_[at] == 0.0) continue;
        const double step = -settings_.rate * slopes_[at] / scale_;
        const auto ids = lists_.features.ids_of(begin + at);
        const auto values = lists_.features.values_of(begin + at);
        for (std::size_t i = 0; i < ids.size(); ++i) moved_[ids[i]] += step * double{values[i]};
    }
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
