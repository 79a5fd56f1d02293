#pragma once

#include <cstdint>

#include "index/limits.hpp"
#include "index/occurrences.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

// How the occurrences of a pattern `a α b` follow from those of its prefix `a α` and its suffix `α b` (Lopez 2008,
// §4.2.3): two partners overlap in α, and the whole stays within the allowed span. Edge gaps have no position, so the
// occurrences of `a α` are those of the pattern without its last gap.
struct JoinShape {
    bool starts_with_gap;      // α begins with a gap
    bool ends_with_gap;        // α ends with a gap
    std::uint32_t last_chunk;  // words in the last chunk of the whole pattern
};

enum class JoinMethod {
    merge,          // goes through both lists from one end to the other
    double_binary,  // searches for the median of the shorter list in the longer one, recursively; merges where that is
                    // cheaper
    gallop,         // searches for each element of the shorter list in the longer one in doubling steps
};

// What lookups did, as machine-independent measures.
struct JoinCounts {
    std::uint64_t joins = 0;
    std::uint64_t compared = 0;  // pairs of occurrences that were compared
};

// The occurrences of `a α b`, sorted, from the complete and sorted ones of `a α` and `α b`. All methods give the same.
// `lambda` scales the estimated cost of searching against that of merging.
Occurrences join(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape,
                 const Occurrences& prefix, const Occurrences& suffix, JoinMethod method, double lambda,
                 JoinCounts& counts);

// Whether searching q elements in Q is estimated to be cheaper than merging: lambda * q * log2(Q) < q + Q, q the
// smaller.
bool searching_pays(std::size_t one, std::size_t other, double lambda);

}  // namespace pentaglot
