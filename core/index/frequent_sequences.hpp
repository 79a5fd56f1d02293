#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/source_index.hpp"

namespace pentaglot {

// The most frequent word sequences, by falling count (of equals the shorter first, then by order of suffixes).
struct FrequentSequences {
    std::vector<std::uint32_t> begin, end;  // ranks of their suffixes
    std::vector<std::uint32_t> length;
};
FrequentSequences frequent_sequences(const SourceIndex& index, std::span<const std::uint32_t> common_prefixes,
                                     std::uint32_t most, std::uint32_t max_length);

}  // namespace pentaglot
