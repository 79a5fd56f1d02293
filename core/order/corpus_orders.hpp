#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "order/minimal_phrases.hpp"
#include "order/word_ranks.hpp"

namespace pentaglot {

// The links of many sentences in flat arrays, and how many source words each sentence has. Strengths may be empty.
struct CorpusLinks {
    std::span<const std::uint64_t> offsets;
    std::span<const Position> source;
    std::span<const Position> target;
    std::span<const float> strengths;
    std::span<const std::uint32_t> lengths;

    std::size_t size() const { return lengths.size(); }
    SentenceLinks operator[](std::size_t sentence) const;
    // Throws Error if the arrays do not fit each other, or if a link lies outside its sentence.
    void check() const;
};

// Permutations one after the other; offsets say where each begins and where the last one ends.
struct CorpusRanks {
    std::vector<std::uint64_t> offsets;
    std::vector<Position> ranks;
};
CorpusRanks word_ranks(const CorpusLinks& links, Pick pick, Side attach, unsigned threads);

struct CorpusBlocks {
    std::vector<std::uint64_t> offsets;
    std::vector<Position> begins, ends, ranks;
};
CorpusBlocks minimal_phrases(const CorpusLinks& links, unsigned threads);

// The size of the largest operator in the tree of each permutation; 0 where there is none.
std::vector<Position> largest_arities(std::span<const std::uint64_t> offsets, std::span<const Position> ranks,
                                      unsigned threads);

}  // namespace pentaglot
