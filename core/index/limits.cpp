#include "index/limits.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"

namespace pentaglot {

void GrammarLimits::validate() const {
    if (max_span == 0 || max_symbols == 0 || max_chunks == 0) throw Error("the limits allow no pattern at all");
    if (min_gap == 0) throw Error("a gap must cover at least one word");
    if (max_span > unlimited || min_gap > unlimited) throw Error("a limit on patterns is too large");
}

std::vector<std::span<const PatternSymbol>> chunks_of(std::span<const PatternSymbol> pattern) {
    std::vector<std::span<const PatternSymbol>> chunks;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= pattern.size(); ++at) {
        if (at < pattern.size() && pattern[at] != gap_symbol) continue;
        if (at == begin) throw Error("a pattern must have words at both ends and between its gaps");
        chunks.push_back(pattern.subspan(begin, at - begin));
        begin = at + 1;
    }
    return chunks;
}

namespace {

struct Item {
    std::size_t begin, end;  // the input span of `pattern`, which ends with a word
    std::vector<PatternSymbol> pattern;
    std::uint32_t gaps, chunks;
};

}  // namespace

std::vector<std::vector<PatternSymbol>> licensed_patterns(std::span<const WordId> sentence, const GrammarLimits& limits,
                                                          bool edges) {
    limits.validate();
    const std::size_t length = sentence.size();
    std::vector<std::vector<PatternSymbol>> patterns;
    std::set<std::vector<PatternSymbol>> seen;
    const auto meet = [&](const std::vector<PatternSymbol>& pattern) {
        const bool edge = pattern.front() == gap_symbol || pattern.back() == gap_symbol;
        if ((edges || !edge) && seen.insert(pattern).second) patterns.push_back(pattern);
    };
    std::vector<Item> items;
    for (std::size_t at = 0; at < length; ++at) items.push_back({at, at + 1, {sentence[at]}, 0, 1});
    if (limits.max_gaps > 0 && limits.max_symbols >= 2 && limits.max_span > limits.min_gap) {
        for (std::size_t at = limits.min_gap; at < length; ++at) {
            items.push_back({at - limits.min_gap, at + 1, {gap_symbol, sentence[at]}, 1, 1});
        }
    }
    for (std::size_t next = 0; next < items.size(); ++next) {
        const Item item = items[next];
        meet(item.pattern);
        const std::size_t symbols = item.pattern.size();
        if (symbols >= limits.max_symbols) continue;
        if (item.end < length && item.end + 1 - item.begin <= limits.max_span) {
            Item longer = item;
            longer.pattern.push_back(sentence[longer.end++]);
            items.push_back(std::move(longer));
        }
        const std::size_t after = item.end + limits.min_gap;
        if (item.gaps >= limits.max_gaps || after > length || after - item.begin > limits.max_span) continue;
        Item gapped = item;
        gapped.pattern.push_back(gap_symbol);
        ++gapped.gaps;
        meet(gapped.pattern);
        if (symbols + 2 > limits.max_symbols || item.chunks >= limits.max_chunks) continue;
        ++gapped.chunks;
        for (std::size_t at = after; at < std::min(length, item.begin + limits.max_span); ++at) {
            Item longer = gapped;
            longer.end = at + 1;
            longer.pattern.push_back(sentence[at]);
            items.push_back(std::move(longer));
        }
    }
    return patterns;
}

}  // namespace pentaglot
