#include "learn/line_search.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

void add_difference(std::span<const double> before, std::span<const double> after, std::vector<double>& total) {
    for (std::size_t at = 0; at < total.size(); ++at) total[at] += after[at] - before[at];
}

}  // namespace

Sweep swept(std::vector<double> total, std::vector<Change>& changes) {
    Sweep found;
    std::ranges::stable_sort(changes, {}, &Change::at);
    found.boundaries.reserve(changes.size());
    found.totals.reserve((changes.size() + 1) * total.size());
    found.totals = total;
    for (std::size_t next = 0; next < changes.size();) {
        const double at = changes[next].at;
        for (; next < changes.size() && changes[next].at == at; ++next)
            add_difference(changes[next].before, changes[next].after, total);
        found.boundaries.push_back(at);
        found.totals.insert(found.totals.end(), total.begin(), total.end());
    }
    return found;
}

LineSearch::LineSearch(const FeatureColumns& columns, std::span<const std::uint32_t> sentences,
                       std::span<const double> point)
    : columns_(columns), lists_(columns.lists()) {
    check(point);
    std::vector<double> found;
    for (const std::uint32_t sentence : sentences) {
        listen();
        if (sentence >= lists_.sentence_count()) throw Error("there is no such sentence");
        if (lists_.sentences[sentence] == lists_.sentences[sentence + 1]) continue;
        columns.scores(sentence, point, found);
        sentences_.push_back(sentence);
        scores_.insert(scores_.end(), found.begin(), found.end());
        offsets_.push_back(scores_.size());
    }
    find_tops();
}

void LineSearch::check(std::span<const double> direction) const {
    if (direction.size() != lists_.feature_count) throw Error("a direction needs a weight for every feature");
}

void LineSearch::find_tops() {
    tops_.clear();
    totals_.assign(lists_.width(), 0.0);
    for (std::size_t number = 0; number < sentences_.size(); ++number) {
        const auto scores = std::span(scores_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
        tops_.push_back(static_cast<std::uint32_t>(first_largest(scores)));
        const auto row = lists_.statistics_of(lists_.sentences[sentences_[number]] + tops_.back());
        for (std::size_t at = 0; at < row.size(); ++at) totals_[at] += row[at];
    }
}

// For directions along a single feature.
void LineSearch::prefetch(std::size_t number, std::uint32_t feature) const {
    if (number >= sentences_.size()) return;
    const std::size_t sentence = sentences_[number], size = offsets_[number + 1] - offsets_[number];
    const auto columns = columns_.columns(sentence);
    const auto found = std::ranges::lower_bound(columns, feature, {}, &FeatureColumns::Column::feature);
    if (found == columns.end() || found->feature != feature || found->step == 0) return;
    columns_.prefetch(*found, size);
    for (std::size_t at = offsets_[number]; at < offsets_[number + 1]; at += 8) __builtin_prefetch(&scores_[at]);
}

bool LineSearch::slopes_of(std::size_t sentence, std::span<const double> direction) {
    const auto matters = [&](const FeatureColumns::Column& column) {
        return column.step != 0 && direction[column.feature] != 0.0;
    };
    if (columns_.dense(sentence)) {
        const auto columns = columns_.columns(sentence);
        const auto first = std::ranges::find_if(columns, matters);
        if (first == columns.end()) return false;
        if (std::find_if(first + 1, columns.end(), matters) == columns.end()) {
            slopes_.resize(lists_.sentences[sentence + 1] - lists_.sentences[sentence]);
            columns_.column_times(*first, direction[first->feature], slopes_);
            return true;
        }
    }
    columns_.scores(sentence, direction, slopes_);
    return true;
}

Sweep LineSearch::sweep(std::span<const double> direction) {
    check(direction);
    std::vector<double> total = totals_;
    std::vector<Change> changes;
    const auto along = std::ranges::find_if(direction, [](double each) { return each != 0.0; });
    const auto feature = static_cast<std::uint32_t>(along - direction.begin());
    const bool single = std::count(direction.begin(), direction.end(), 0.0) + 1 == std::ssize(direction);
    for (std::size_t number = 0; number < sentences_.size(); ++number) {
        listen_at<16>(number);
        const std::size_t sentence = sentences_[number], begin = lists_.sentences[sentence];
        const std::size_t first = columns_.statistics().offsets[sentence];
        if (single) prefetch(number + 1, feature);
        if (!slopes_of(sentence, direction)) continue;
        const auto& pieces =
            envelope_.of(slopes_, std::span(scores_).subspan(offsets_[number], slopes_.size()), tops_[number]);
        const DistinctRows& statistics = columns_.statistics();
        const auto row_of = [&](std::size_t line) { return statistics.row(first + statistics.places[begin + line]); };
        std::size_t before = pieces.front().line;
        add_difference(row_of(tops_[number]), row_of(before), total);
        for (std::size_t piece = 1; piece < pieces.size(); ++piece) {
            const std::size_t after = pieces[piece].line;
            // Where the statistics do not change there is no boundary, and the interval is wider.
            if (statistics.places[begin + before] != statistics.places[begin + after])
                changes.push_back({pieces[piece].from, row_of(before), row_of(after)});
            before = after;
        }
    }
    return swept(std::move(total), changes);
}

void LineSearch::move(std::span<const double> direction, double step) {
    check(direction);
    for (std::size_t number = 0; number < sentences_.size(); ++number) {
        listen_at<16>(number);
        if (!slopes_of(sentences_[number], direction)) continue;
        double* const scores = scores_.data() + offsets_[number];
        for (std::size_t at = 0; at < slopes_.size(); ++at) scores[at] += step * slopes_[at];
    }
    find_tops();
}

}  // namespace pentaglot
