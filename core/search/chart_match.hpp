#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/chart_cells.hpp"
#include "search/input.hpp"
#include "search/pattern_trie.hpp"

namespace pentaglot {

// A part of the input between two nodes that has been analysed with a label.
struct Cell {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t label;
};

// A pattern that fits the input between two nodes: what its gaps cover, and what the input words that its words are add
// to the feature of the input.
struct Match {
    std::uint32_t pattern;
    std::span<const Cell> gaps;
    float input;
};

// Walks over the input from short to long spans and finds all patterns that fit (CKY+, Chappelier and Rajman 1998). The
// cells of a span are complete before a longer span asks for them.
class ChartMatcher {
  public:
    // Called once for each span that has matches: it makes what it will of them and names the labels that the span then
    // has. The matches are valid during the call only.
    using Visit = std::function<void(std::uint32_t from, std::uint32_t to, std::span<const Match> matches,
                                     std::vector<std::uint32_t>& labels)>;
    // Called with every node `to` when all spans that end there are done.
    using Ended = std::function<void(std::uint32_t to)>;

    // Rules cover at most `max_span` words; a span that no path has so few words for is not looked at.
    ChartMatcher(const Input& input, const RuleTable& table, std::uint32_t max_span);

    void run(const Visit& visit, const Ended& ended);

  private:
    // A pattern up to a dot: the trie node reached, and how. Chains of these are shared.
    struct Dotted {
        PatternTrie::Node node;
        std::uint32_t previous;  // in the same list; `nothing` at the beginning
        std::uint32_t to;        // where the dot stands
        float input;             // scores of the words before the dot
        std::uint32_t label;     // of the gap right before the dot, or `a_word`
    };
    static constexpr std::uint32_t nothing = UINT32_MAX;
    static constexpr std::uint32_t a_word = UINT32_MAX;

    void advance(std::uint32_t from, std::uint32_t to, bool beyond);
    void collect(std::uint32_t from, std::size_t first);

    const Input& input_;
    PatternTrie trie_;
    std::uint32_t max_span_;
    // By beginning: all dotted patterns, in the order of their ends, and where those of each end begin.
    std::vector<std::vector<Dotted>> dotted_;
    std::vector<std::vector<std::uint32_t>> first_at_;
    ChartCells<std::uint32_t> labels_;
    std::vector<Match> matches_;
    std::vector<Cell> gaps_;
};

}  // namespace pentaglot
