#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/chart_cells.hpp"
#include "search/input.hpp"
#include "search/pattern_conditions.hpp"
#include "search/pattern_trie.hpp"
#include "search/unary_rules.hpp"

namespace pentaglot {

// How a part of the input between two nodes has been analysed: with a label, on paths with a number of words. Between
// two nodes of a sentence there is one path; in a lattice those of different lengths are kept apart, because limits
// count the words of the path that is taken.
struct Analysis {
    std::uint32_t label;
    std::uint32_t words;
    friend bool operator==(const Analysis&, const Analysis&) = default;
};

struct Cell {
    std::uint32_t from;
    std::uint32_t to;
    Analysis analysis;
};

// A pattern that fits the input between two nodes: what its gaps cover, the sum of the scores of the input words that
// it matches, and the number of words on the path.
struct Match {
    std::uint32_t pattern;
    std::span<const Cell> gaps;
    float input;
    std::uint32_t words;
};

// How many words of the input patterns and gaps may cover.
struct MatchLimits {
    std::uint32_t max_span;  // at most, gaps included
    std::uint32_t min_gap;   // at least, of a gap that is not all of its pattern
};

// Walks over the input and finds all patterns that fit, in the spans and with the labels that the input allows, at
// their places and with their signatures (CKY+, Chappelier and Rajman 1998). The cells inside a span are complete
// before the span is matched.
class ChartMatcher {
  public:
    // Called for each span and each analysis of it that has matches; uses them and returns whether the span now has the
    // analysis. The matches are valid only during the call. A pattern that is one gap comes after what its gap covers.
    using Visit =
        std::function<bool(std::uint32_t from, std::uint32_t to, Analysis analysis, std::span<const Match> matches)>;
    // Called with every node `to` when all spans that end there are done.
    using Ended = std::function<void(std::uint32_t to)>;

    // Throws Error if patterns of one gap form a cycle, or have conditions that the input cannot have
    // (PatternConditions).
    ChartMatcher(const Input& input, const RuleTable& table, const MatchLimits& limits);

    void run(const Visit& visit, const Ended& ended);

  private:
    // A pattern up to a dot: the trie node reached, and how. Chains of these are shared.
    struct Dotted {
        PatternTrie::Node node;
        std::uint32_t previous;  // in the same list; `nothing` at the beginning
        std::uint32_t to;        // where the dot stands
        float input;             // the sum of the scores of the words before the dot
        std::uint32_t words;     // on the path to the dot
        Analysis gap;            // right before the dot, or `a_word`
    };
    static constexpr std::uint32_t nothing = UINT32_MAX;
    static constexpr Analysis a_word{UINT32_MAX, 0};

    std::vector<std::uint32_t> beginnings(std::uint32_t to);
    void fill(std::uint32_t from, std::uint32_t to, const Visit& visit);
    void advance(std::uint32_t from, std::uint32_t to);
    void advance_over_gaps(std::uint32_t from, std::uint32_t to);
    std::pair<std::uint32_t, std::uint32_t> dotted_at(std::uint32_t from, std::uint32_t at) const;
    void collect(std::uint32_t from, std::size_t first);
    void show(std::uint32_t from, std::uint32_t to, const Visit& visit, std::vector<Analysis>& made);
    void show_with_unary(std::uint32_t from, std::uint32_t to, const Visit& visit, std::vector<Analysis>& made);

    const Input& input_;
    const RuleTable& table_;
    PatternTrie trie_;
    UnaryRules unary_;
    PatternConditions conditions_;
    MatchLimits limits_;
    // By beginning: all dotted patterns, in the order of their ends, and where those of each end begin.
    std::vector<std::vector<Dotted>> dotted_;
    std::vector<std::vector<std::uint32_t>> first_at_;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> near_;  // see beginnings()
    ChartCells<Analysis> analyses_;
    std::vector<Match> matches_;
    std::vector<Cell> gaps_;
    std::vector<PatternConditions::Span> gap_spans_;  // of the match at hand
};

}  // namespace pentaglot
