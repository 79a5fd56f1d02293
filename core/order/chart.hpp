#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "order/operators.hpp"
#include "order/permutation_tree.hpp"

namespace pentaglot {

// Which trees of a permutation a chart holds.
enum class Trees : std::uint8_t { all, left, right };

// Where a word without links between two blocks is joined: to the block on one side or, with `top`, to the largest
// constituent there that every tree has. Such words at the end of a sentence always go with what is before them, those
// at its beginning with what follows.
struct Attachment {
    Side side = Side::right;
    bool top = false;
};

// The units of a sentence: blocks, and words without links (`loose`) between them. Only blocks have ranks.
struct Units {
    std::span<const Position> ranks;
    std::span<const std::uint8_t> loose;  // one for each unit
};

// Trees over the units of a sentence, packed: a permutation forest. An edge has cells as its children. A cell may have
// nodes of several operators if words without links are attached in several ways.
struct OrderChart {
    struct Cell {
        Position begin, end;
        std::uint32_t first_node, last_node;  // no nodes if it is a single unit
    };
    struct Node {
        std::uint32_t cell;
        OperatorId kind;  // `root` for an operator that no grammar has; `places` then says where children go
        std::uint32_t first_edge,
            last_edge;  // children of edge e: children[first_child + (e - first_edge) * arity] ...
        std::uint32_t first_child;
        std::uint32_t arity;
        std::uint32_t first_place;
    };
    std::vector<Cell> cells;  // smaller ones first; the last is the whole sentence
    std::vector<Node> nodes;  // in the order of their cells
    std::vector<std::uint32_t> children;
    std::vector<Position> places;

    std::span<const std::uint32_t> children_of(const Node& node, std::uint32_t edge) const {
        return std::span(children).subspan(node.first_child + std::size_t{edge - node.first_edge} * node.arity,
                                           node.arity);
    }
    std::size_t edges() const { return nodes.empty() ? 0 : nodes.back().last_edge; }
};

// There may be several attachments; the trees of all of them go into one chart. `flat` is the flat tree of the ranks;
// there must be at least one block.
OrderChart make_chart(const PermutationTree& flat, const Units& units, Trees trees,
                      std::span<const Attachment> attachments);

}  // namespace pentaglot
