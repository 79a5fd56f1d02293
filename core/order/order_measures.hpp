#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "order/word_ranks.hpp"

namespace pentaglot {

// How near a permutation is to the identity, by all measures of Stanojević 2017, §4.2 to §4.4, between 0 and 1. Without
// units everything is 0; with a single unit every measure is 1.
struct OrderMeasures {
    double kendall = 0, kendall_root = 0, hamming = 0, spearman = 0, ulam = 0, fuzzy = 0;
    double tree_size = 0, operator_size = 0, tree_number = 0;  // |PET|, Max|Op|, #PETs
    double tree_score = 0, forest_score = 0;                   // RecPET, RecPEF
    double uniform_score = 0;  // RecPEF as the mean over trees, children weighted by length; 0 unless asked for
    // Shares of the nodes of the canonical tree: with operator 12, with 21, with four children, and with more.
    double straight = 0, turned = 0, of_four = 0, of_more = 0;

    static constexpr std::size_t size = 16;
    std::array<double, size> row() const {
        return {kendall,     kendall_root, hamming,      spearman,      ulam,     fuzzy,  tree_size, operator_size,
                tree_number, tree_score,   forest_score, uniform_score, straight, turned, of_four,   of_more};
    }
};

// `beta` is the weight of a node of a tree against everything below it. The ranks must be a permutation. The forest
// score takes O(n^2), the uniform score O(n^3), everything else O(n log n).
OrderMeasures order_measures(std::span<const Position> ranks, double beta, bool uniform);

}  // namespace pentaglot
