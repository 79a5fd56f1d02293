#pragma once

#include <span>
#include <vector>

#include "order/chart.hpp"
#include "order/minimal_phrases.hpp"

namespace pentaglot {

// The minimal phrases of a sentence and the words without links between them, in the order of the sentence.
struct SentenceUnits {
    std::vector<Position> ranks;      // of the phrases
    std::vector<std::uint8_t> loose;  // for each unit, whether it is a word without links
    std::vector<Position> begins;     // where each unit begins; at the end the number of words

    Units view() const { return {ranks, loose}; }
};

SentenceUnits units_of(std::size_t words, std::span<const Block> blocks);

// As many units as words, all of them linked.
SentenceUnits units_of(std::span<const Position> ranks);

}  // namespace pentaglot
