#include "search/chart_match.hpp"

#include <algorithm>
#include <map>

namespace pentaglot {

ChartMatcher::ChartMatcher(const Input& input, const RuleTable& table, const MatchLimits& limits)
    : input_(input),
      table_(table),
      trie_(table, limits.max_span),
      unary_(table),
      conditions_(input, table),
      limits_(limits),
      dotted_(input.nodes()),
      first_at_(input.nodes()),
      near_(input.is_chain() ? 0 : input.nodes()),
      analyses_(input.nodes()) {}

// The nodes, from the last to the first, where a pattern that ends at `to` may begin: those from which a path of few
// enough words leads there.
std::vector<std::uint32_t> ChartMatcher::beginnings(std::uint32_t to) {
    const std::uint32_t most = trie_.has_long() ? UINT32_MAX : limits_.max_span;
    std::vector<std::uint32_t> nodes;
    if (input_.is_chain()) {
        for (std::uint32_t from = to; from-- > 0 && to - from <= most;) nodes.push_back(from);
        return nodes;
    }
    std::map<std::uint32_t, std::uint32_t, std::greater<>> fewest;  // words, by node
    const auto offer = [&](std::uint32_t from, std::uint32_t words) {
        const auto [known, fresh] = fewest.try_emplace(from, words);
        if (!fresh) known->second = std::min(known->second, words);
    };
    for (const std::uint32_t number : input_.ending_at(to)) {
        const std::uint32_t before = input_.words()[number].from;
        offer(before, 1);
        for (const auto& [from, words] : near_[before]) {
            if (words < most) offer(from, words + 1);
        }
    }
    near_[to].assign(fewest.begin(), fewest.end());
    for (const auto& [from, words] : near_[to]) nodes.push_back(from);
    return nodes;
}

// The dotted patterns from `from` whose dot stands at `at`; a span that was skipped has none.
std::pair<std::uint32_t, std::uint32_t> ChartMatcher::dotted_at(std::uint32_t from, std::uint32_t at) const {
    const auto& first_at = first_at_[from];
    const auto all = static_cast<std::uint32_t>(dotted_[from].size());
    const std::size_t place = at - from;
    return {place < first_at.size() ? first_at[place] : all, place + 1 < first_at.size() ? first_at[place + 1] : all};
}

// Adds the dotted patterns from `from` whose dot stands at `to`.
void ChartMatcher::advance(std::uint32_t from, std::uint32_t to) {
    auto& list = dotted_[from];
    for (const std::uint32_t number : input_.ending_at(to)) {
        const InputWord& word = input_.words()[number];
        if (word.from < from) continue;
        if (word.from == from) {
            const PatternTrie::Node node = trie_.after_word(PatternTrie::root, word.word);
            if (node != PatternTrie::none) list.push_back({node, nothing, to, word.score, 1, a_word});
            continue;
        }
        const auto [begin, end] = dotted_at(from, word.from);
        for (std::uint32_t at = begin; at < end; ++at) {
            const PatternTrie::Node node = trie_.after_word(list[at].node, word.word);
            if (node == PatternTrie::none) continue;
            const std::uint32_t words = list[at].words + 1;
            // Only patterns of any length may reach beyond the limit.
            if (words <= limits_.max_span || trie_.leads_to_long(node))
                list.push_back({node, at, to, list[at].input + word.score, words, a_word});
        }
    }
    advance_over_gaps(from, to);
}

void ChartMatcher::advance_over_gaps(std::uint32_t from, std::uint32_t to) {
    auto& list = dotted_[from];
    const auto reached = static_cast<std::uint32_t>(std::min<std::size_t>(to, from + first_at_[from].size()));
    for (std::uint32_t middle = from + 1; middle < reached; ++middle) {
        for (const Analysis& gap : analyses_.at(middle, to)) {
            if (gap.words < limits_.min_gap) continue;
            const auto [begin, end] = dotted_at(from, middle);
            for (std::uint32_t at = begin; at < end; ++at) {
                const std::uint32_t words = list[at].words + gap.words;
                if (words > limits_.max_span) continue;
                const PatternTrie::Node node = trie_.after_gap(list[at].node, gap.label);
                if (node != PatternTrie::none) list.push_back({node, at, to, list[at].input, words, gap});
            }
        }
    }
}

// Turns the dotted patterns from number `first` on that are complete into matches.
void ChartMatcher::collect(std::uint32_t from, std::size_t first) {
    const auto& list = dotted_[from];
    matches_.clear();
    gaps_.clear();
    std::vector<std::pair<std::size_t, std::size_t>>
        ranges;  // of each match's gaps; no spans yet, since the array may still move
    for (std::size_t number = first; number < list.size(); ++number) {
        const auto patterns = trie_.patterns(list[number].node);
        if (patterns.empty()) continue;
        const std::size_t begin = gaps_.size();
        for (auto at = static_cast<std::uint32_t>(number); at != nothing; at = list[at].previous) {
            const Dotted& step = list[at];
            if (step.gap != a_word)
                gaps_.push_back({step.previous == nothing ? from : list[step.previous].to, step.to, step.gap});
        }
        std::reverse(gaps_.begin() + static_cast<std::ptrdiff_t>(begin), gaps_.end());
        if (conditions_.any()) {
            gap_spans_.clear();
            for (std::size_t gap = begin; gap < gaps_.size(); ++gap)
                gap_spans_.emplace_back(gaps_[gap].from, gaps_[gap].to);
            conditions_.look_at(from, list[number].to, gap_spans_);
        }
        for (const std::uint32_t pattern : patterns) {
            if (conditions_.any() && !conditions_.hold(pattern)) continue;
            matches_.push_back({pattern, {}, list[number].input, list[number].words});
            ranges.emplace_back(begin, gaps_.size());
        }
    }
    for (std::size_t number = 0; number < matches_.size(); ++number) {
        const auto [begin, end] = ranges[number];
        matches_[number].gaps = std::span(gaps_).subspan(begin, end - begin);
    }
}

// Passes on the matches of a span, grouped by what they make of it.
void ChartMatcher::show(std::uint32_t from, std::uint32_t to, const Visit& visit, std::vector<Analysis>& made) {
    const auto analysis = [&](const Match& match) { return Analysis{table_.left_labels[match.pattern], match.words}; };
    const auto order = [&](const Match& one, const Match& other) {
        const Analysis a = analysis(one), b = analysis(other);
        return a.label != b.label ? a.label < b.label : a.words < b.words;
    };
    if (!std::is_sorted(matches_.begin(), matches_.end(), order))
        std::stable_sort(matches_.begin(), matches_.end(), order);
    for (std::size_t begin = 0, end = 0; begin < matches_.size(); begin = end) {
        const Analysis common = analysis(matches_[begin]);
        while (end < matches_.size() && analysis(matches_[end]) == common) ++end;
        if (!input_.layers().spans.allows(from, to, common.label)) continue;
        if (visit(from, to, common, std::span(matches_).subspan(begin, end - begin))) made.push_back(common);
    }
}

// The same where patterns of one gap make further analyses out of those that are there.
void ChartMatcher::show_with_unary(std::uint32_t from, std::uint32_t to, const Visit& visit,
                                   std::vector<Analysis>& made) {
    const auto key = [&](Analysis analysis) {
        return std::tuple(unary_.rank(analysis.label), analysis.label, analysis.words);
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<Match>> groups;
    for (const Match& match : matches_) groups[key({table_.left_labels[match.pattern], match.words})].push_back(match);
    // What an analysis leads to has a higher rank, so it comes later in this loop.
    std::vector<std::vector<Cell>> kept;  // gaps of the matches
    for (auto group = groups.begin(); group != groups.end(); ++group) {
        const auto& [rank, label, words] = group->first;
        const Analysis here{label, words};
        if (!input_.layers().spans.allows(from, to, label)) continue;
        if (!visit(from, to, here, group->second)) continue;
        made.push_back(here);
        for (const UnaryRules::Relabelling& step : unary_.steps()) {
            if (step.from != label || words > limits_.max_span) continue;
            const auto& gap = kept.emplace_back(1, Cell{from, to, here});
            groups[key({step.to, words})].push_back({step.pattern, gap, 0, words});
        }
    }
}

void ChartMatcher::fill(std::uint32_t from, std::uint32_t to, const Visit& visit) {
    auto& list = dotted_[from];
    const std::size_t first = list.size();
    first_at_[from].resize(to - from, static_cast<std::uint32_t>(first));
    first_at_[from].push_back(static_cast<std::uint32_t>(first));
    advance(from, to);
    if (!input_.layers().spans.allows(from, to)) return;
    collect(from, first);
    if (matches_.empty()) return;
    std::vector<Analysis> made;
    if (unary_.empty()) {
        show(from, to, visit, made);
    } else {
        show_with_unary(from, to, visit, made);
    }
    for (const Analysis& gap : made) {
        if (gap.words < limits_.min_gap || gap.words > limits_.max_span) continue;
        const PatternTrie::Node node = trie_.after_gap(PatternTrie::root, gap.label);
        if (node != PatternTrie::none) list.push_back({node, nothing, to, 0, gap.words, gap});
    }
    if (!made.empty()) analyses_.fill(from, to) = std::move(made);
}

void ChartMatcher::run(const Visit& visit, const Ended& ended) {
    const auto nodes = static_cast<std::uint32_t>(input_.nodes());
    for (std::uint32_t to = 1; to < nodes; ++to) {
        for (const std::uint32_t from : beginnings(to)) fill(from, to, visit);
        ended(to);
    }
}

}  // namespace pentaglot
