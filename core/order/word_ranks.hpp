#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/links.hpp"

namespace pentaglot {

// Ranks and orders are inverses of each other; only ranks are stored: ranks[i] is the place, counted from 0, to which
// word i goes. Throws Error unless every place from 0 on is taken once.
void check_ranks(std::span<const Position> ranks);

// order[place] is the word that goes there.
std::vector<Position> order_of(std::span<const Position> ranks);

// The links of one sentence; strengths are empty, or one for each link.
struct SentenceLinks {
    std::span<const Position> source;
    std::span<const Position> target;
    std::span<const float> strengths;
};

// Which target position counts for a word that has several links.
enum class Pick : std::uint8_t { leftmost, rightmost, strongest, average };
enum class Side : std::uint8_t { left, right };

// The ranks of the words of a sentence by the target positions that they are linked to (Stanojević 2017, §2.5.2). Words
// without links go with the nearest linked word on side `attach`, or else with that on the other side; words with equal
// positions keep their order. Throws Error for a link outside the sentence.
std::vector<Position> word_ranks(std::size_t words, const SentenceLinks& links, Pick pick, Side attach);

}  // namespace pentaglot
