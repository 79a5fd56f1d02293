#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// Two systems that were run equally often on the same segments: rows of statistics, run by run, segment by segment.
struct PairOfSystems {
    std::span<const double> first, second;
    std::size_t runs, segments, width;

    std::size_t rows() const { return runs * segments; }
};

struct Shuffling {
    std::size_t begin = 0, trials = 0;  // which trials of the seed's sequence
    std::uint64_t seed = 0;
    bool pooled = false;  // add up all runs of a pseudo-system
};

// Stratified approximate randomisation (Clark 2015, section 3.4): in every trial, each run of each segment goes to one
// of two pseudo-systems by a coin of its own and its counterpart to the other, and the rows of a segment change places
// between runs. Returns the summed statistics: trial by trial those of the first pseudo-system and then of the second,
// each either pooled or run by run. A trial depends only on the seed and its number.
std::vector<double> shuffled_totals(const PairOfSystems& systems, const Shuffling& shuffling, unsigned threads);

}  // namespace pentaglot
