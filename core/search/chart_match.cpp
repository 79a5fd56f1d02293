#include "search/chart_match.hpp"

#include <algorithm>
#include <utility>

namespace pentaglot {

ChartMatcher::ChartMatcher(const Input& input, const RuleTable& table, std::uint32_t max_span)
    : input_(input),
      trie_(table, max_span),
      max_span_(max_span),
      dotted_(input.nodes()),
      first_at_(input.nodes()),
      labels_(input.nodes()) {}

// Adds the dotted patterns from `from` whose dot stands at `to`.
void ChartMatcher::advance(std::uint32_t from, std::uint32_t to, bool beyond) {
    auto& list = dotted_[from];
    const auto& first_at = first_at_[from];
    // Those with the dot at `at` lie between two entries; a span that was skipped has an empty range.
    const auto range = [&](std::uint32_t at) {
        const std::size_t place = at - from;
        const std::uint32_t begin = place < first_at.size() ? first_at[place] : static_cast<std::uint32_t>(list.size());
        const std::uint32_t end =
            place + 1 < first_at.size() ? first_at[place + 1] : static_cast<std::uint32_t>(list.size());
        return std::pair(begin, end);
    };
    for (const std::uint32_t number : input_.ending_at(to)) {
        const InputWord& word = input_.words()[number];
        if (word.from < from) continue;
        if (word.from == from) {
            const PatternTrie::Node node = trie_.after_word(PatternTrie::root, word.word);
            if (node != PatternTrie::none) list.push_back({node, nothing, to, word.score, a_word});
            continue;
        }
        const auto [begin, end] = range(word.from);
        for (std::uint32_t at = begin; at < end; ++at) {
            const PatternTrie::Node node = trie_.after_word(list[at].node, word.word);
            if (node != PatternTrie::none && (!beyond || trie_.leads_to_long(node)))
                list.push_back({node, at, to, list[at].input + word.score, a_word});
        }
    }
    if (beyond) return;
    for (std::uint32_t middle = from + 1; middle < to; ++middle) {
        for (const std::uint32_t label : labels_.at(middle, to)) {
            const auto [begin, end] = range(middle);
            for (std::uint32_t at = begin; at < end; ++at) {
                const PatternTrie::Node node = trie_.after_gap(list[at].node, label);
                if (node != PatternTrie::none) list.push_back({node, at, to, list[at].input, label});
            }
        }
    }
}

// Turns the dotted patterns from number `first` on that are complete into matches.
void ChartMatcher::collect(std::uint32_t from, std::size_t first) {
    const auto& list = dotted_[from];
    matches_.clear();
    gaps_.clear();
    std::vector<std::pair<std::size_t, std::size_t>> ranges;  // of each match's gaps: the array may still move
    for (std::size_t number = first; number < list.size(); ++number) {
        const auto patterns = trie_.patterns(list[number].node);
        if (patterns.empty()) continue;
        const std::size_t begin = gaps_.size();
        for (auto at = static_cast<std::uint32_t>(number); at != nothing; at = list[at].previous) {
            const Dotted& step = list[at];
            if (step.label != a_word)
                gaps_.push_back({step.previous == nothing ? from : list[step.previous].to, step.to, step.label});
        }
        std::reverse(gaps_.begin() + static_cast<std::ptrdiff_t>(begin), gaps_.end());
        for (const std::uint32_t pattern : patterns) {
            matches_.push_back({pattern, {}, list[number].input});
            ranges.emplace_back(begin, gaps_.size());
        }
    }
    for (std::size_t number = 0; number < matches_.size(); ++number) {
        const auto [begin, end] = ranges[number];
        matches_[number].gaps = std::span(gaps_).subspan(begin, end - begin);
    }
}

void ChartMatcher::run(const Visit& visit, const Ended& ended) {
    const auto nodes = static_cast<std::uint32_t>(input_.nodes());
    for (std::uint32_t to = 1; to < nodes; ++to) {
        for (std::uint32_t from = to; from-- > 0;) {
            // Further than rules with gaps may reach there are only words in a row.
            const bool beyond = input_.distance(from, to) > max_span_;
            if (beyond && (!trie_.has_long() || input_.distance(from, to) == Input::unreachable)) continue;
            auto& list = dotted_[from];
            const std::size_t first = list.size();
            first_at_[from].resize(to - from, static_cast<std::uint32_t>(first));
            first_at_[from].push_back(static_cast<std::uint32_t>(first));
            advance(from, to, beyond);
            collect(from, first);
            std::vector<std::uint32_t> made;
            if (!matches_.empty()) visit(from, to, matches_, made);
            if (beyond) continue;
            for (const std::uint32_t label : made) {
                const PatternTrie::Node node = trie_.after_gap(PatternTrie::root, label);
                if (node != PatternTrie::none) list.push_back({node, nothing, to, 0, label});
            }
            if (!made.empty()) {
                labels_.fill(from, to) = std::move(made);
            }
        }
        ended(to);
    }
}

}  // namespace pentaglot
