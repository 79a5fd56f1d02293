#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/limits.hpp"
#include "index/occurrences.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

// Three earlier ways to find a pattern with gaps, each from its chunks alone. They are the measure that the prefix tree
// is held against, and its truth in tests.
enum class Baseline {
    product,    // every combination of chunk positions, tested
    tree,       // Rahman et al. 2006: positions of each chunk in a stratified tree, next elements asked for
    sentences,  // Lopez 2008, §4.1.3: a hash table of partial matches by sentence, probed with each chunk
};

// A set of positions below a bound with constant-time insertion and search of the next element in steps of 64-fold
// levels: what van Emde Boas' tree does, with machine words as its nodes.
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

// All occurrences of a pattern, sorted. `scratch` is needed by Baseline::tree only, made for this text and empty; it is
// empty again afterwards.
Occurrences find_by(Baseline baseline, const SourceIndex& index, std::span<const PatternSymbol> pattern,
                    const GrammarLimits& limits, StratifiedSet& scratch);

}  // namespace pentaglot
