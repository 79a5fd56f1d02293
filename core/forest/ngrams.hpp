#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/vocabulary.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// A forest of the same derivations in which n-grams belong to edges.
struct NgramForest {
    Forest forest;
    std::vector<EdgeId> origins;     // new edge -> old edge
    std::vector<double> statistics;  // for each edge its words, then its n-grams of every order that a reference has
};

// Splits nodes until all derivations of one begin with the same `order` - 1 words and end with the same, so that the
// edge which completes an n-gram is known: what a translation shares with references then adds up over edges. Counts
// are not clipped. `references` are rows of words. Throws Error if there would be more than `most` edges.
//
// Nodes of a search with a language model of that order are split already, and hardly more edges are made.
NgramForest ngram_forest(const Forest& forest, std::size_t order, std::span<const std::uint64_t> offsets,
                         std::span<const WordId> references, std::size_t most);

}  // namespace pentaglot
