#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "order/word_ranks.hpp"

namespace pentaglot {

// Neighbouring source words that stay together, and the place where they go among the other blocks.
struct Block {
    Position begin;
    Position end;  // one beyond the last word
    Position rank;
};

// The finest blocks of source words whose links form a permutation: the minimal phrase pairs (Stanojević 2017, §3.3).
// Words without links between two blocks belong to none; those inside a block belong to it. Throws Error for a link
// outside the sentence.
std::vector<Block> minimal_phrases(std::size_t words, const SentenceLinks& links);

// The same blocks, but all under one operator with more children than these are one block, with the words between them.
std::vector<Block> with_opaque_operators(std::span<const Block> blocks, std::size_t most_children);

}  // namespace pentaglot
