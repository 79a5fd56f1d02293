#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/forest.hpp"

namespace pentaglot {

// A derivation is written as its edges from the root down, first tail first: since every edge knows its tails, this
// describes the whole tree. Derivations is a list of them.
struct Derivations {
    std::vector<double> scores;
    std::vector<std::uint64_t> offsets{0};
    std::vector<EdgeId> edges;

    std::size_t size() const { return scores.size(); }
    std::span<const EdgeId> operator[](std::size_t i) const {
        return {edges.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

// A node that is used twice by one edge can make a derivation exponentially larger than its forest; one with more edges
// than this is refused with an Error.
constexpr std::size_t largest_derivation = std::size_t{1} << 26;

// The best derivation of every node: its score, and its topmost edge (of equally good ones the first).
struct Best {
    std::vector<double> scores;  // -infinity where a node has no derivation
    std::vector<EdgeId> edges;   // only where there is one
};
Best best_edges(const Forest& forest, std::span<const double> scores);

// The best derivation of the goal; none if it has no derivation.
Derivations viterbi(const Forest& forest, std::span<const double> scores);

// The places of an edge's children in a derivation. Throws Error if it is not a derivation in this forest.
struct Shape {
    std::vector<std::uint64_t> offsets;  // place -> range of `children`
    std::vector<std::uint64_t> children;
};
Shape shape_of(const Forest& forest, std::span<const EdgeId> derivation);

// The words that a derivation yields.
std::vector<WordId> words_of(const Forest& forest, std::span<const EdgeId> derivation);

// The sum of the features of some edges, by rising id.
struct SummedFeatures {
    std::vector<FeatureId> ids;
    std::vector<double> values;
};
SummedFeatures features_of(const Forest& forest, std::span<const EdgeId> derivation);

}  // namespace pentaglot
