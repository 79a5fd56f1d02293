#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/limits.hpp"
#include "index/occurrences.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

// Three earlier ways to find a pattern with gaps, each from its chunks alone: what the prefix tree is compared with in
// benchmarks, and checked against in tests.
enum class Baseline {
    product,    // tests every combination of chunk positions
    tree,       // Rahman et al. 2006: positions of each chunk in a stratified tree, which is asked for the next one
    sentences,  // Lopez 2008, §4.1.3: a hash table of partial matches by sentence, probed with each chunk
};

// A set of positions below a bound, with insertion and search for the next element in constant time per level; each
// level is 64 times smaller. A van Emde Boas tree with machine words as its nodes.
class StratifiedSet {
  public:
    explicit StratifiedSet(std::size_t bound);
    void insert(std::uint32_t position);
    void erase(std::uint32_t position);
    // The least element that is at least `position`; the bound if there is none.
    std::size_t next(std::size_t position) const;

  private:
    std::size_t bound_;
    std::vector<std::vector<std::uint64_t>> levels_;  // from single positions to the root
};

// All occurrences of a pattern, sorted. Only Baseline::tree needs `scratch`: an empty set for this text, which is empty
// again afterwards.
Occurrences find_by(Baseline baseline, const SourceIndex& index, std::span<const PatternSymbol> pattern,
                    const GrammarLimits& limits, StratifiedSet& scratch);

}  // namespace pentaglot
