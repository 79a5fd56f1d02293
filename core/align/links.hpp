#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/text.hpp"

namespace pentaglot {

// A position in a sentence; `no_position` where a word has no link.
using Position = std::uint16_t;
constexpr Position no_position = 0xFFFF;

// The links of many sentence pairs in flat arrays, in each sentence sorted by source and then target position.
struct Links {
    std::vector<std::uint64_t> offsets{0};  // where each sentence's links begin; one more at the end
    std::vector<Position> source;
    std::vector<Position> target;
    std::vector<std::uint8_t> sure;  // 1 for sure, 0 for possible links

    void end_sentence() { offsets.push_back(source.size()); }
};

// Reads lines of links such as "0-0 1-2", or "3-4 5p6" with `p` for possible ones, whose positions count from `base`.
// Links are sorted, repeated ones merged (sure wins). Throws Error naming the line.
Links parse_links(std::string_view text, unsigned base);

// The same as text: `i-j`, counted from 0, one line for each sentence.
std::string format_links(std::span<const std::uint64_t> offsets, std::span<const Position> source,
                         std::span<const Position> target);

// First and last linked position of every word of both sides, at the word's place in the text's array of tokens;
// no_position for words without links and for the closing ids.
struct Extents {
    std::vector<Position> source_first, source_last, target_first, target_last;
};
// Throws Error if the links do not fit the sentences.
Extents find_extents(std::span<const std::uint64_t> offsets, std::span<const Position> source,
                     std::span<const Position> target, const Text& source_text, const Text& target_text);

}  // namespace pentaglot
