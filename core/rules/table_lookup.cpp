#include "rules/table_lookup.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/error.hpp"

namespace pentaglot {

namespace {

// A beginning of patterns that occurs in the sentence: a path from the root to `node`, ending before place `end`; after
// a gap, that is the first place where it may end.
struct PartialMatch {
    std::uint32_t node, previous, end;
    Symbol symbol;
    std::uint16_t symbols, gaps, chunks;
};

class Walk {
  public:
    Walk(const StoredTable& table, std::span<const WordId> sentence, const GrammarLimits& limits)
        : table_(table), sentence_(sentence), limits_(limits) {
        limits.validate();
    }

    std::vector<FoundPattern> run() {
        for (std::size_t begin = 0; begin < sentence_.size(); ++begin) from(begin);
        std::sort(found_.begin(), found_.end(),
                  [](const auto& one, const auto& other) { return one.pattern < other.pattern; });
        return std::move(found_);
    }

  private:
    static constexpr std::uint32_t nowhere = UINT32_MAX;

    // All patterns whose span begins here; gaps at the beginning have their least width, as in the index.
    void from(std::size_t begin) {
        matches_.clear();
        reached_.clear();
        const std::size_t stop = std::min<std::size_t>(sentence_.size(), begin + limits_.max_span);
        extend({0, nowhere, static_cast<std::uint32_t>(begin), 0, 0, 0, 0}, nowhere, stop);
        for (std::uint32_t next = 0; next < matches_.size(); ++next) extend(matches_[next], next, stop);
    }

    // Tables made by other programs may have adjacent gaps.
    void extend(const PartialMatch match, std::uint32_t number, std::size_t stop) {
        if (match.symbols >= limits_.max_symbols) return;
        const bool after_gap = match.symbols > 0 && is_tail(match.symbol);
        if (!after_gap || match.chunks < limits_.max_chunks) {
            const bool anywhere = after_gap && match.chunks > 0;
            for (std::size_t at = match.end; at < (anywhere ? stop : std::min<std::size_t>(stop, match.end + 1)); ++at)
                add_word(match, number, at);
        }
        if (match.gaps < limits_.max_gaps && match.end + std::size_t{limits_.min_gap} <= stop) add_gap(match, number);
    }

    void add_word(PartialMatch match, std::uint32_t previous, std::size_t at) {
        if (sentence_[at] > INT32_MAX) return;
        const auto symbol = static_cast<Symbol>(sentence_[at]);
        const std::uint32_t node = table_.child(match.node, symbol);
        if (node == StoredTable::none) return;
        const auto end = static_cast<std::uint32_t>(at + 1);
        // The same beginning may be reached by different gaps; once is enough.
        if (!reached_.insert(std::uint64_t{node} << 32 | end).second) return;
        const bool begins = match.symbols == 0 || is_tail(match.symbol);
        matches_.push_back({node, previous, end, symbol, static_cast<std::uint16_t>(match.symbols + 1), match.gaps,
                            static_cast<std::uint16_t>(match.chunks + (begins ? 1 : 0))});
        meet();
    }

    void add_gap(PartialMatch match, std::uint32_t previous) {
        const Symbol symbol = tail_symbol(match.gaps);
        const std::uint32_t node = table_.child(match.node, symbol);
        if (node == StoredTable::none) return;
        matches_.push_back({node, previous, match.end + limits_.min_gap, symbol,
                            static_cast<std::uint16_t>(match.symbols + 1), static_cast<std::uint16_t>(match.gaps + 1),
                            match.chunks});
        meet();
    }

    // Notes the pattern that the last match completes, if there is one and it has words.
    void meet() {
        const PartialMatch& last = matches_.back();
        const std::uint32_t pattern = table_.pattern(last.node);
        if (pattern == StoredTable::none || last.symbols == last.gaps || !known_.insert(pattern).second) return;
        FoundPattern found{pattern, std::vector<Symbol>(last.symbols)};
        auto place = static_cast<std::uint32_t>(matches_.size() - 1);
        for (std::size_t at = last.symbols; at-- > 0; place = matches_[place].previous) {
            found.source[at] = matches_[place].symbol;
        }
        found_.push_back(std::move(found));
    }

    const StoredTable& table_;
    std::span<const WordId> sentence_;
    const GrammarLimits& limits_;
    std::vector<PartialMatch> matches_;
    std::unordered_set<std::uint64_t> reached_;  // node and end, from the place at hand
    std::unordered_set<std::uint32_t> known_;
    std::vector<FoundPattern> found_;
};

// How many runs of words a side has.
unsigned count_chunks(std::span<const Symbol> side) {
    unsigned chunks = 0;
    for (std::size_t at = 0; at < side.size(); ++at) {
        if (!is_tail(side[at]) && (at == 0 || is_tail(side[at - 1]))) ++chunks;
    }
    return chunks;
}

}  // namespace

std::vector<FoundPattern> find_patterns(const StoredTable& table, std::span<const WordId> sentence,
                                        const GrammarLimits& limits) {
    return Walk(table, sentence, limits).run();
}

RuleTable look_up(const StoredTable& table, std::span<const WordId> sentence, const GrammarLimits& limits,
                  const TableFeatures& features, bool reordering) {
    if (features.columns.size() != table.arrays().columns.size()) throw Error("every column of a table needs its id");
    RuleTable rules;
    std::vector<const TableColumn*> columns;
    for (std::size_t column = 0; column < features.columns.size(); ++column) {
        if (features.columns[column] == TableFeatures::none) continue;
        columns.push_back(&table.arrays().columns[column]);
        rules.feature_ids.push_back(features.columns[column]);
    }
    for (const FeatureId id : {features.coherence, features.rules, features.words}) {
        if (id != TableFeatures::none) rules.feature_ids.push_back(id);
    }
    rules.features.resize(rules.feature_ids.size());
    const bool oriented = reordering && !table.arrays().reordering.empty();
    std::vector<Symbol> target;
    std::vector<RuleLink> links;
    std::uint32_t free = 0;  // the first rule that no pattern before had
    for (const FoundPattern& found : find_patterns(table, sentence, limits)) {
        const auto& a = table.arrays();
        const auto [begin, end] = table.rules_of(found.pattern);  // throws if there is no such pattern
        if (begin < free) throw Damage("the table is damaged: two source sides have the same rules");
        free = end;
        const std::uint32_t tried = a.attempts.empty() ? 0 : a.attempts[found.pattern];
        bool added = false;
        for (std::uint32_t number = begin; number < end; ++number) {
            table.target(number, target);
            if (count_chunks(target) > limits.max_chunks) continue;
            if (!added) {
                rules.add_pattern(found.source, tried, tried, a.successes.empty() ? 0 : a.successes[found.pattern]);
                added = true;
            }
            table.links(number, links);
            rules.add_rule(target, links, a.counts[number], {});
            std::size_t at = 0;
            for (const TableColumn* column : columns) rules.features[at++].back() = (*column)[number];
            if (features.coherence != TableFeatures::none) rules.features[at++].back() = table.coherence(found.pattern);
            if (features.rules != TableFeatures::none) rules.features[at++].back() = 1;
            if (features.words != TableFeatures::none) {
                rules.features[at++].back() = static_cast<float>(
                    std::count_if(target.begin(), target.end(), [](Symbol symbol) { return !is_tail(symbol); }));
            }
            if (!oriented) continue;
            rules.reordering.resize(rules.rules());
            const auto row = a.reordering.subspan(std::size_t{6} * number, 6);
            std::copy_n(row.begin(), 3, rules.reordering.back().before.begin());
            std::copy_n(row.begin() + 3, 3, rules.reordering.back().after.begin());
        }
    }
    try {
        rules.check();
    } catch (const Error& error) {
        throw Damage(std::string("the table is damaged: ") + error.what());
    }
    return rules;
}

}  // namespace pentaglot
