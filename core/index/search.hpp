#pragma once

#include <cstdint>
#include <span>

#include "index/limits.hpp"
#include "index/occurrences.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

struct SearchResult {
    Occurrences occurrences;  // sorted
    bool complete = true;     // false if there are more than were asked for
};

// The occurrences of one pattern of any length within sentences. Starts from its rarest chunk and looks for the others
// in the text beside it, so no list but the shortest is read. Of the limits, only max_span and min_gap count. Stops
// when `most` are found (0: never).
SearchResult search(const SourceIndex& index, std::span<const PatternSymbol> pattern, const GrammarLimits& limits,
                    std::size_t most = 0);

}  // namespace pentaglot
