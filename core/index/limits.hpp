#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/vocabulary.hpp"

namespace pentaglot {

// A pattern is a sequence of words and gaps; a chunk is a maximal run of words in it. In a pattern all gaps are alike;
// a rule numbers them (see Symbol in forest/forest.hpp).
using PatternSymbol = std::uint32_t;
constexpr PatternSymbol gap_symbol = 0xFFFFFFFF;
constexpr std::uint32_t unlimited = 0x7FFFFFFF;

// Which patterns a model licenses (Lopez 2008, §4.1.1). The defaults are those of Chiang 2007, except for gaps of one
// word.
struct GrammarLimits {
    std::uint32_t max_span = 10;    // most words a pattern may cover, gaps included, in the input and in the text
    std::uint32_t max_symbols = 5;  // most words and gaps of a pattern
    std::uint32_t max_gaps = 2;     // most gaps of a pattern
    std::uint32_t min_gap = 1;      // fewest words that a gap covers
    std::uint32_t max_chunks = unlimited;

    // Throws Error if no pattern could satisfy them, or a gap could be empty.
    void validate() const;
};

// The chunks of a pattern, in order. Throws Error if it is empty, begins or ends with a gap, or has adjacent gaps.
std::vector<std::span<const PatternSymbol>> chunks_of(std::span<const PatternSymbol> pattern);

// All distinct patterns of a sentence that the limits license, in the order in which they are first met, by number of
// words: what a lookup without any pruning has to look up. With `edges`, also those that begin or end with a gap.
std::vector<std::vector<PatternSymbol>> licensed_patterns(std::span<const WordId> sentence, const GrammarLimits& limits,
                                                          bool edges);

}  // namespace pentaglot
