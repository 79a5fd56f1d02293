#include "rules/table_lookup.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/error.hpp"

namespace pentaglot {

namespace {

// A beginning of patterns that lies in the sentence: a path from the root to `node`, ending before place `end`; after a
// gap that is the first place where it may end.
struct Step {
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
        steps_.clear();
        reached_.clear();
        const std::size_t stop = std::min<std::size_t>(sentence_.size(), begin + limits_.max_span);
        extend({0, nowhere, static_cast<std::uint32_t>(begin), 0, 0, 0, 0}, nowhere, stop);
        for (std::uint32_t next = 0; next < steps_.size(); ++next) extend(steps_[next], next, stop);
    }

    // Tables of others may have gaps side by side.
    void extend(const Step step, std::uint32_t number, std::size_t stop) {
        if (step.symbols >= limits_.max_symbols) return;
        const bool after_gap = step.symbols > 0 && is_tail(step.symbol);
        if (!after_gap || step.chunks < limits_.max_chunks) {
            const bool anywhere = after_gap && step.chunks > 0;
            for (std::size_t at = step.end; at < (anywhere ? stop : std::min<std::size_t>(stop, step.end + 1)); ++at)
                add_word(step, number, at);
        }
        if (step.gaps < limits_.max_gaps && step.end + std::size_t{limits_.min_gap} <= stop) add_gap(step, number);
    }

    void add_word(Step step, std::uint32_t previous, std::size_t at) {
        if (sentence_[at] > INT32_MAX) return;
        const auto symbol = static_cast<Symbol>(sentence_[at]);
        const std::uint32_t node = table_.child(step.node, symbol);
        if (node == StoredTable::none) return;
        const auto end = static_cast<std::uint32_t>(at + 1);
        // The same beginning may be reached by different gaps; once is enough.
        if (!reached_.insert(std::uint64_t{node} << 32 | end).second) return;
        const bool begins = step.symbols == 0 || is_tail(step.symbol);
        steps_.push_back({node, previous, end, symbol, static_cast<std::uint16_t>(step.symbols + 1), step.gaps,
                          static_cast<std::uint16_t>(step.chunks + (begins ? 1 : 0))});
        meet();
    }

    void add_gap(Step step, std::uint32_t previous) {
        const Symbol symbol = tail_symbol(step.gaps);
        const std::uint32_t node = table_.child(step.node, symbol);
        if (node == StoredTable::none) return;
        steps_.push_back({node, previous, step.end + limits_.min_gap, symbol,
                          static_cast<std::uint16_t>(step.symbols + 1), static_cast<std::uint16_t>(step.gaps + 1),
                          step.chunks});
        meet();
    }

    // Notes the pattern that the last step ends, if it is one and has words.
    void meet() {
        const Step& last = steps_.back();
        const std::uint32_t pattern = table_.pattern(last.node);
        if (pattern == StoredTable::none || last.symbols == last.gaps || !known_.insert(pattern).second) return;
        FoundPattern found{pattern, std::vector<Symbol>(last.symbols)};
        auto place = static_cast<std::uint32_t>(steps_.size() - 1);
        for (std::size_t at = last.symbols; at-- > 0; place = steps_[place].previous) {
            found.source[at] = steps_[place].symbol;
        }
        found_.push_back(std::move(found));
    }

    const StoredTable& table_;
    std::span<const WordId> sentence_;
    const GrammarLimits& limits_;
    std::vector<Step> steps_;
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
        const auto [begin, end] = table.rules_of(found.pattern);  // there is such a pattern
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
