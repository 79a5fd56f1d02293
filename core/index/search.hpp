#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/limits.hpp"
#include "index/occurrences.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

struct SearchResult {
    Occurrences occurrences;  // sorted
    bool complete = true;     // false if there are more than were asked for
};

// The forms in which a chunk may occur. They may differ in length.
using ChunkForms = std::vector<std::span<const WordId>>;

// The occurrences of one pattern of any length within sentences. Starts from its rarest chunk and looks for the others
// in the text beside it, so only the shortest list is read. Of the limits, only max_span and min_gap count. Stops when
// `most` are found (0: never).
SearchResult search(const SourceIndex& index, std::span<const PatternSymbol> pattern, const GrammarLimits& limits,
                    std::size_t most = 0);

// The same where each chunk may occur in any of its forms. Since these may differ in length, an occurrence has two
// numbers for each chunk: its begin and its end. Forms that are given twice are found twice.
SearchResult search_forms(const SourceIndex& index, std::span<const ChunkForms> chunks, const GrammarLimits& limits,
                          std::size_t most = 0);

}  // namespace pentaglot
