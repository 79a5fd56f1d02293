#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/vocabulary.hpp"

namespace pentaglot {

// Lines of text, one after the other.
struct SpeltLines {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> offsets{0};
};

// Rows of word ids as lines with a space between two words. Ids from `first_other` on are those of `others`. Throws
// Error if the offsets do not fit, an id has no spelling, or a spelling is not valid UTF-8.
SpeltLines spelt_lines(const Vocabulary& vocabulary, std::span<const std::uint64_t> offsets,
                       std::span<const WordId> words, WordId first_other, std::span<const std::string_view> others);

}  // namespace pentaglot
