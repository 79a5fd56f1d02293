#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// For every word of a hypothesis that can be identified in the reference, its position there: a word that occurs once
// in both, or one that does together with its neighbours on the left or on the right, with as few of them as possible
// and preferably those on the right (Isozaki et al. 2010). Words are numbers. O(n (n + m)).
std::vector<std::uint32_t> ribes_positions(std::span<const std::uint32_t> hypothesis,
                                           std::span<const std::uint32_t> reference);

// The rank correlation of these words, between 0 and 1, and their share of the words of the hypothesis; both are 0 if
// there are fewer than two, unless the reference is a single word.
struct Ribes {
    double correlation = 0, precision = 0;
};
Ribes ribes(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference);

}  // namespace pentaglot
