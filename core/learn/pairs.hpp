#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"

namespace pentaglot {

struct PairSettings {
    std::size_t samples = 5000;  // pairs drawn for each sentence, at most
    std::size_t kept = 50;       // of these, at most
    double gap = 0.0;            // the costs of a pair must differ by more than this
    bool largest = false;        // keep those with the largest gaps, not the first
};

// Pairs of candidates of one sentence, the better one first.
struct Pairs {
    std::vector<std::uint64_t> better, worse;
};

// Draws pairs for pairwise ranking optimisation (Hopkins and May 2011). A sentence's draws depend on the seed and its
// number alone. Pairs with equal features, or equal costs, teach nothing and are left out.
Pairs draw_pairs(const CandidateLists& lists, std::span<const double> costs, const PairSettings& settings,
                 std::uint64_t seed);

}  // namespace pentaglot
