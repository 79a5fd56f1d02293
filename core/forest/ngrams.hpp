#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/vocabulary.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// A forest with the same derivations, in which every n-gram belongs to an edge.
struct NgramForest {
    Forest forest;
    std::vector<EdgeId> origins;     // new edge -> old edge
    std::vector<double> statistics;  // for each edge its words, then for every order its n-grams that a reference has
};

// Splits nodes until all derivations of one begin with the same `order` - 1 words and end with the same, so that it is
// known which edge completes an n-gram: what a translation shares with references then adds up over edges. Counts are
// not clipped. `references` are rows of words. Throws Error if there would be more than `most` edges.
//
// Nodes of a search with a language model of that order are split already, and hardly more edges are made.
NgramForest ngram_forest(const Forest& forest, std::size_t order, std::span<const std::uint64_t> offsets,
                         std::span<const WordId> references, std::size_t most);

}  // namespace pentaglot
