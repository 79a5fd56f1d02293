#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/vocabulary.hpp"

namespace pentaglot {

// The start positions of all suffixes of a text of word ids, in ascending order of the suffixes; ids compare as
// integers, and a suffix that is the beginning of another one comes before it.
//
// Induced sorting (SA-IS, Nong, Zhang and Chan 2009): time and memory are linear in the text, however repetitive it is.
// Besides the result it needs about 4 bytes a token, and 8 bytes for every id up to the largest. Throws Error for texts
// of 2^31 tokens or more. Positions are 32 bits.
std::vector<std::uint32_t> build_suffix_array(std::span<const WordId> tokens);

// For every rank, how many tokens its suffix shares with the suffix of the rank before (0 for the first rank).
// Linear time by walking the text in order (Kärkkäinen, Manzini and Puglisi 2009, after Kasai et al. 2001).
std::vector<std::uint32_t> longest_common_prefixes(std::span<const WordId> tokens,
                                                   std::span<const std::uint32_t> suffixes);

}  // namespace pentaglot
