#pragma once

#include <cstdint>
#include <vector>

#include "order/parse.hpp"
#include "order/word_ranks.hpp"

namespace pentaglot {

// A tree of a parse, parents before their children, from left to right.
struct ParseTree {
    struct Node {
        Position begin, end;
        OperatorId kind;      // `root`: a word or phrase
        std::uint16_t state;  // of its operator
    };
    std::vector<Node> nodes;
    // The words in the order that the tree gives them.
    std::vector<Position> order() const;
};

// The best tree of each piece of a parse that was made with `best`.
ParseTree best_tree(const Parse& parse);

// The distinct orders that random derivations give, and how often each was drawn: the most frequent first, equals in
// the order of their words. Derivations are drawn with their probabilities, the same for the same seed.
struct DrawnOrders {
    std::vector<Position> orders;  // one after the other
    std::vector<std::uint32_t> counts;
};
DrawnOrders draw_orders(const Parse& parse, std::size_t count, std::uint64_t seed);

}  // namespace pentaglot
