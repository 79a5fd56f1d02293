#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/vocabulary.hpp"

namespace pentaglot {

// A small index that sentences are added to and taken from while it is in use. Each change makes new arrays beside the
// old ones, in linear time, as fast as a few copies; readers of the old arrays are not disturbed. Suffixes compare up
// to the end of their sentence and then by position, so that adding a sentence never changes the order of others; for
// lookups this is as good as the order of whole suffixes.

// The sorted suffixes of `tokens` (sentences that each close with SpecialWord::end), given those of its first part.
std::vector<std::uint32_t> add_suffixes(std::span<const WordId> tokens, std::span<const std::uint32_t> suffixes);

// The sorted suffixes that remain when the tokens in [begin, end), a sentence, are taken out.
std::vector<std::uint32_t> remove_suffixes(std::span<const std::uint32_t> suffixes, std::uint32_t begin,
                                           std::uint32_t end);

}  // namespace pentaglot
