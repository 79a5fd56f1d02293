#include "learn/line_search.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

// A direction, and the feature that it goes along if it is only one, by 1.
struct LineSearch::Direction {
    explicit Direction(std::span<const double> direction) : weights(direction) {
        const auto along = std::ranges::find_if(weights, [](double each) { return each != 0.0; });
        const bool single = std::count(weights.begin(), weights.end(), 0.0) + 1 == std::ssize(weights);
        if (single && *along == 1.0) feature = static_cast<std::uint32_t>(along - weights.begin());
    }
    std::span<const double> weights;
    std::optional<std::uint32_t> feature;
};

LineSearch::LineSearch(const FeatureColumns& columns, const DistinctRows& statistics,
                       std::span<const std::uint32_t> sentences, std::span<const double> point)
    : columns_(columns), statistics_(statistics), lists_(columns.lists()) {
    check(point);
    std::vector<double> found;
    std::size_t candidates = 0;
    for (const std::uint32_t sentence : sentences) {
        if (sentence >= lists_.sentence_count()) throw Error("there is no such sentence");
        candidates += lists_.sentences[sentence + 1] - lists_.sentences[sentence];
    }
    scores_.reserve(candidates);
    for (const std::uint32_t sentence : sentences) {
        listen();
        if (lists_.sentences[sentence] == lists_.sentences[sentence + 1]) continue;
        columns.scores(sentence, point, found);
        sentences_.push_back(sentence);
        scores_.insert(scores_.end(), found.begin(), found.end());
        offsets_.push_back(scores_.size());
        rough_offsets_.push_back(rough_offsets_.back() + RoughLines::room(found.size()));
    }
    tops_.resize(sentences_.size());
    rough_.assign(rough_offsets_.back(), RoughLines::far_below);
    for (std::size_t number = 0; number < sentences_.size(); ++number) find_top(number);
    add_up();
}

void LineSearch::check(std::span<const double> direction) const {
    if (direction.size() != lists_.feature_count) throw Error("a direction needs a weight for every feature");
}

void LineSearch::find_top(std::size_t number) {
    const auto scores = scores_of(number);
    tops_[number] = static_cast<std::uint32_t>(first_largest(scores));
    const double top = scores[tops_[number]];
    float* const rough = rough_.data() + rough_offsets_[number];
    for (std::size_t at = 0; at < scores.size(); ++at) rough[at] = static_cast<float>(scores[at] - top);
}

void LineSearch::add_up() {
    totals_.assign(lists_.width(), 0.0);
    for (std::size_t number = 0; number < sentences_.size(); ++number) {
        const auto row = lists_.statistics_of(lists_.sentences[sentences_[number]] + tops_[number]);
        for (std::size_t at = 0; at < row.size(); ++at) totals_[at] += row[at];
    }
}

// For directions along a single feature.
void LineSearch::prefetch(std::size_t number, std::uint32_t feature) const {
    if (number >= sentences_.size()) return;
    const Column* const found = columns_.column(sentences_[number], feature);
    if (found == nullptr || found->step == 0) return;
    FeatureColumns::prefetch(*found, offsets_[number + 1] - offsets_[number]);
    for (std::size_t at = rough_offsets_[number]; at < rough_offsets_[number + 1]; at += FeatureColumns::lanes)
        __builtin_prefetch(&rough_[at]);
}

bool LineSearch::slopes_of(std::size_t number, const Direction& direction) {
    const std::size_t sentence = sentences_[number], size = offsets_[number + 1] - offsets_[number];
    if (columns_.dense(sentence)) {
        const auto matters = [&](const Column& each) {
            return each.step != 0 && direction.weights[each.feature] != 0.0;
        };
        const auto columns = columns_.columns(sentence);
        const auto first = std::ranges::find_if(columns, matters);
        if (first == columns.end()) return false;
        if (std::find_if(first + 1, columns.end(), matters) == columns.end()) {
            slopes_.resize(size);
            FeatureColumns::column_times(*first, direction.weights[first->feature], slopes_);
            return true;
        }
    }
    columns_.scores(sentence, direction.weights, slopes_);
    return true;
}

// Along a feature, its values are the slopes.
const std::vector<Piece>* LineSearch::envelope_along(std::size_t number, std::uint32_t feature) {
    const Column* const column = columns_.column(sentences_[number], feature);
    if (column == nullptr || column->step == 0) return nullptr;
    const auto scores = scores_of(number);
    const auto rough = std::span(rough_).subspan(rough_offsets_[number]).first(RoughLines::room(scores.size()));
    const auto values = FeatureColumns::values(*column, rough.size());
    const float top = values[tops_[number]];
    return &envelope_.of(
        RoughLines{values, rough, top, true, column->least, column->largest}, scores.size(),
        [&](std::size_t line) { return double{values[line]}; }, [&](std::size_t line) { return scores[line]; });
}

const std::vector<Piece>* LineSearch::envelope(std::size_t number, const Direction& direction) {
    if (direction.feature && columns_.dense(sentences_[number])) {
        prefetch(number + 1, *direction.feature);
        return envelope_along(number, *direction.feature);
    }
    return slopes_of(number, direction) ? &envelope_.of(slopes_, scores_of(number), tops_[number]) : nullptr;
}

Sweep LineSearch::sweep(std::span<const double> direction) {
    check(direction);
    const Direction along(direction);
    std::vector<double> total = totals_;
    std::vector<Change> changes;
    for (std::size_t number = 0; number < sentences_.size(); ++number) {
        listen_at<16>(number);
        const auto* const pieces = envelope(number, along);
        if (pieces == nullptr) continue;
        const std::size_t sentence = sentences_[number], first = statistics_.offsets[sentence];
        const std::uint32_t* const places = statistics_.places.data() + lists_.sentences[sentence];
        const auto row_of = [&](std::size_t line) { return statistics_.row(first + places[line]); };
        std::size_t before = pieces->front().line;
        add_difference(row_of(tops_[number]), row_of(before), total);
        for (const Piece& piece : std::span(*pieces).subspan(1)) {
            // Where nothing changes for the metric there is no boundary: the interval around it is wider.
            if (places[before] != places[piece.line])
                changes.push_back({piece.from, row_of(before), row_of(piece.line)});
            before = piece.line;
        }
    }
    return swept(std::move(total), changes);
}

void LineSearch::move(std::span<const double> direction, double step) {
    check(direction);
    const Direction along(direction);
    for (std::size_t number = 0; number < sentences_.size(); ++number) {
        listen_at<16>(number);
        const auto scores = scores_of(number);
        if (along.feature && columns_.dense(sentences_[number])) {
            prefetch(number + 1, *along.feature);
            const Column* const column = columns_.column(sentences_[number], *along.feature);
            if (column == nullptr || column->step == 0) continue;
            const float* const values = column->values;
            for (std::size_t at = 0; at < scores.size(); ++at) scores[at] += step * double{values[at]};
        } else {
            if (!slopes_of(number, along)) continue;
            for (std::size_t at = 0; at < slopes_.size(); ++at) scores[at] += step * slopes_[at];
        }
        find_top(number);
    }
    add_up();
}

}  // namespace pentaglot
