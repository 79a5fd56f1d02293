#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "order/word_ranks.hpp"

namespace pentaglot {

// A tree over a permutation in which every node covers a block: neighbouring units whose ranks are neighbours too.
struct PermutationTree {
    struct Node {
        Position begin;  // the units [begin, end) that it covers
        Position end;
        Position low;         // the least of their ranks
        std::uint32_t first;  // its children are children[first] to children[first + arity - 1]
        std::uint32_t arity;  // 0 for a single unit
    };
    std::vector<Node> nodes;  // children before their parents; the root is the last
    std::vector<std::uint32_t> children;

    std::span<const std::uint32_t> children_of(const Node& node) const {
        return std::span(children).subspan(node.first, node.arity);
    }
    // Whether the children, two or more in one direction, keep their order.
    bool is_monotone(const Node& node) const;
    // To which place each child goes.
    std::vector<Position> operator_of(const Node& node) const;
};

// The canonical tree, in which every operator is prime and chains of the same binary operator branch to the left, by
// shift-reduce parsing (Zhang and Gildea 2007). O(n^2). The ranks must be a permutation of at least one unit.
PermutationTree shift_reduce_tree(std::span<const Position> ranks);

// The same tree in O(n): whether a reduction is possible is known beforehand from the longest block that ends at each
// unit, which is found from the generators of common intervals (Bergeron, Chauve, de Montgolfier and Raffinot 2008).
PermutationTree linear_tree(std::span<const Position> ranks);

// Chains of the same binary operator as one node with all their children (Zhang, Gildea and Chiang 2008).
PermutationTree flat_tree(const PermutationTree& tree);

// Whether a node of a flat tree is a chain of one binary operator, of two children or more.
bool is_chain(const PermutationTree& flat, const PermutationTree::Node& node);

// The nodes of a flat tree made binary again, branching to one side.
PermutationTree branching_tree(const PermutationTree& flat, Side side);

// The number of children of the largest operator, where a chain counts 2; 0 for a single unit.
std::size_t largest_arity(const PermutationTree& flat);

}  // namespace pentaglot
