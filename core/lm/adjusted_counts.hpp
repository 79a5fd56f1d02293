#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "lm/counts.hpp"

namespace pentaglot::lm {

// The n-grams of one length with the counts that Kneser-Ney works with: for the longest n-grams and those that begin a
// sentence, how often they occur; for the others, after how many different words.
struct CountedLevel {
    std::vector<WordId> word;
    std::vector<std::uint32_t> parent;  // as in Level
    std::vector<std::uint64_t> count;
    std::vector<std::uint64_t> occurrences;  // plain counts, only where the level is to be pruned

    std::size_t size() const { return word.size(); }
};

// The levels of a model, unigrams first, in suffix order. `prune` has for each length the number of occurrences up to
// which n-grams will be pruned.
std::vector<CountedLevel> adjust_counts(std::span<const Run> runs, unsigned order, std::size_t vocabulary_size,
                                        std::span<const std::uint64_t> prune, unsigned threads, const Poll& poll);

}  // namespace pentaglot::lm
