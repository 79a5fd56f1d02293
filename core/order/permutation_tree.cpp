#include "order/permutation_tree.hpp"

#include <algorithm>

#include "base/listening.hpp"

namespace pentaglot {
namespace {

using Node = PermutationTree::Node;

// The stack of a shift-reduce parser, and the tree that it makes.
class Parser {
  public:
    explicit Parser(std::size_t units) { tree_.nodes.reserve(2 * units); }

    void shift(std::size_t unit, Position rank) {
        const auto begin = static_cast<Position>(unit);
        stack_.push_back(add({begin, static_cast<Position>(begin + 1), rank, 0, 0}));
    }
    const Node& from_top(std::size_t depth) const { return tree_.nodes[stack_[stack_.size() - 1 - depth]]; }
    std::size_t depth() const { return stack_.size(); }

    // The topmost `count` nodes become the children of one.
    void reduce(std::size_t count) {
        const auto first = static_cast<std::uint32_t>(tree_.children.size());
        const auto from = stack_.end() - static_cast<std::ptrdiff_t>(count);
        Node node{tree_.nodes[*from].begin, from_top(0).end, from_top(0).low, first, static_cast<std::uint32_t>(count)};
        for (auto it = from; it != stack_.end(); ++it) {
            node.low = std::min(node.low, tree_.nodes[*it].low);
            tree_.children.push_back(*it);
        }
        stack_.erase(from, stack_.end());
        stack_.push_back(add(node));
    }
    PermutationTree finish() { return std::move(tree_); }

  private:
    std::uint32_t add(const Node& node) {
        tree_.nodes.push_back(node);
        return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
    }

    PermutationTree tree_;
    std::vector<std::uint32_t> stack_;
};

// How many nodes from the top of the stack make the smallest block of at least two; 0 if none do.
std::size_t smallest_block(const Parser& parser) {
    std::size_t low = parser.from_top(0).low;
    std::size_t high = low;
    std::size_t width = 0;
    for (std::size_t depth = 0; depth < parser.depth(); ++depth) {
        const Node& node = parser.from_top(depth);
        const std::size_t size = node.end - node.begin;
        low = std::min<std::size_t>(low, node.low);
        high = std::max<std::size_t>(high, node.low + size);
        width += size;
        if (depth > 0 && high - low == width) return depth + 1;
    }
    return 0;
}

// For every unit, the largest stretch of ranks around its own that has no units before it.
struct Reach {
    std::vector<std::size_t> first, last;  // by unit
};

Reach reach_of(std::span<const Position> order) {
    const std::size_t n = order.size();
    Reach reach{std::vector<std::size_t>(n), std::vector<std::size_t>(n)};
    std::vector<std::size_t> open;
    for (std::size_t rank = 0; rank < n; ++rank) {
        while (!open.empty() && order[open.back()] > order[rank]) open.pop_back();
        reach.first[order[rank]] = open.empty() ? 0 : open.back() + 1;
        open.push_back(rank);
    }
    open.clear();
    for (std::size_t rank = n; rank-- > 0;) {
        while (!open.empty() && order[open.back()] > order[rank]) open.pop_back();
        reach.last[order[rank]] = open.empty() ? n - 1 : open.back() - 1;
        open.push_back(rank);
    }
    return reach;
}

// farthest[i]: up to which unit all units from i on lie in the stretch of ranks around i that has none before i. Units
// i to j are a block if and only if j <= farthest[i] and, seen from the other end, i is not before the nearest of j.
std::vector<std::size_t> farthest_of(std::span<const Position> ranks) {
    const std::size_t n = ranks.size();
    const Reach reach = reach_of(order_of(ranks));
    std::vector<std::size_t> farthest(n);
    for (std::size_t i = n; i-- > 0;) {
        std::size_t last = i;
        // Stretches that are swallowed here are never looked at again, so all steps together are O(n).
        while (last + 1 < n && reach.first[i] <= ranks[last + 1] && ranks[last + 1] <= reach.last[i]) {
            last = farthest[last + 1];
        }
        farthest[i] = last;
    }
    return farthest;
}

std::vector<std::size_t> nearest_of(std::span<const Position> ranks) {
    const std::size_t n = ranks.size();
    std::vector<Position> turned(n);  // the permutation with units and ranks counted from the last
    for (std::size_t i = 0; i < n; ++i) turned[i] = static_cast<Position>(n - 1 - ranks[n - 1 - i]);
    const std::vector<std::size_t> farthest = farthest_of(turned);
    std::vector<std::size_t> nearest(n);
    for (std::size_t i = 0; i < n; ++i) nearest[i] = n - 1 - farthest[n - 1 - i];
    return nearest;
}

// For every unit, where the longest block that ends with it begins. The stretches [i, farthest[i]] are nested or apart,
// and so are [nearest[j], j]. Those of the first kind that are open at j form a stack, cut here into groups: if one of
// a group lies within a stretch of the second kind, all of it does. Every group is joined or emptied once: O(n).
std::vector<std::size_t> longest_blocks(std::span<const std::size_t> farthest, std::span<const std::size_t> nearest) {
    struct Group {
        std::size_t lowest;  // the first unit of the group
        std::size_t size;    // how many of the stack belong to it
    };
    std::vector<std::size_t> open, begins;
    std::vector<Group> groups;
    for (std::size_t j = 0; j < farthest.size(); ++j) {
        while (!open.empty() && farthest[open.back()] < j) {
            open.pop_back();
            if (--groups.back().size == 0) groups.pop_back();
        }
        open.push_back(j);
        Group joined{j, 1};
        while (open.size() > joined.size && open[open.size() - joined.size - 1] >= nearest[j]) {
            joined = {groups.back().lowest, joined.size + groups.back().size};
            groups.pop_back();
        }
        groups.push_back(joined);
        begins.push_back(joined.lowest);
    }
    return begins;
}

}  // namespace

bool PermutationTree::is_monotone(const Node& node) const {
    const auto below = children_of(node);
    return nodes[below[0]].low < nodes[below[1]].low;
}

std::vector<Position> PermutationTree::operator_of(const Node& node) const {
    const auto below = children_of(node);
    std::vector<Position> order(below.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Position>(i);
    std::sort(order.begin(), order.end(),
              [&](Position a, Position b) { return nodes[below[a]].low < nodes[below[b]].low; });
    return order_of(order);
}

PermutationTree shift_reduce_tree(std::span<const Position> ranks) {
    Parser parser(ranks.size());
    for (std::size_t unit = 0; unit < ranks.size(); ++unit) {
        listen();
        parser.shift(unit, ranks[unit]);
        while (const std::size_t count = smallest_block(parser)) parser.reduce(count);
    }
    return parser.finish();
}

PermutationTree linear_tree(std::span<const Position> ranks) {
    const auto farthest = farthest_of(ranks);
    const auto nearest = nearest_of(ranks);
    const auto begins = longest_blocks(farthest, nearest);
    Parser parser(ranks.size());
    for (std::size_t unit = 0; unit < ranks.size(); ++unit) {
        parser.shift(unit, ranks[unit]);
        // The longest block begins where a node does: if it began inside one, both together would be a longer one.
        while (parser.from_top(0).begin > begins[unit]) {
            std::size_t count = 2;
            for (;; ++count) {
                const std::size_t begin = parser.from_top(count - 1).begin;
                if (unit <= farthest[begin] && nearest[unit] <= begin) break;
            }
            parser.reduce(count);
        }
    }
    return parser.finish();
}

PermutationTree flat_tree(const PermutationTree& tree) {
    const auto same = [&](const Node& a, const Node& b) {
        return a.arity == 2 && b.arity == 2 && tree.is_monotone(a) == tree.is_monotone(b);
    };
    std::vector<bool> absorbed(tree.nodes.size(), false);
    for (const Node& node : tree.nodes) {
        for (const auto child : tree.children_of(node)) absorbed[child] = same(node, tree.nodes[child]);
    }
    PermutationTree flat;
    std::vector<std::uint32_t> numbers(tree.nodes.size(), 0), open;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (absorbed[i]) continue;
        Node node = tree.nodes[i];
        node.first = static_cast<std::uint32_t>(flat.children.size());
        const auto top = tree.children_of(tree.nodes[i]);
        open.assign(top.rbegin(), top.rend());
        while (!open.empty()) {
            const std::uint32_t child = open.back();
            open.pop_back();
            if (absorbed[child]) {
                const auto below = tree.children_of(tree.nodes[child]);
                open.insert(open.end(), below.rbegin(), below.rend());
            } else {
                flat.children.push_back(numbers[child]);
            }
        }
        node.arity = static_cast<std::uint32_t>(flat.children.size()) - node.first;
        numbers[i] = static_cast<std::uint32_t>(flat.nodes.size());
        flat.nodes.push_back(node);
    }
    return flat;
}

namespace {

// Adds a node over two existing ones.
void add_binary(PermutationTree& tree, std::uint32_t left, std::uint32_t right) {
    const Node &a = tree.nodes[left], &b = tree.nodes[right];
    const auto first = static_cast<std::uint32_t>(tree.children.size());
    tree.nodes.push_back({a.begin, b.end, std::min(a.low, b.low), first, 2});
    tree.children.insert(tree.children.end(), {left, right});
}

}  // namespace

PermutationTree branching_tree(const PermutationTree& flat, Side side) {
    PermutationTree tree;
    std::vector<std::uint32_t> numbers, below;
    const auto last = [&] { return static_cast<std::uint32_t>(tree.nodes.size() - 1); };
    for (const Node& node : flat.nodes) {
        below.clear();
        for (const auto child : flat.children_of(node)) below.push_back(numbers[child]);
        if (!is_chain(flat, node)) {
            Node copy = node;
            copy.first = static_cast<std::uint32_t>(tree.children.size());
            tree.children.insert(tree.children.end(), below.begin(), below.end());
            tree.nodes.push_back(copy);
        } else if (side == Side::left) {
            add_binary(tree, below[0], below[1]);
            for (std::size_t i = 2; i < below.size(); ++i) add_binary(tree, last(), below[i]);
        } else {
            add_binary(tree, below[below.size() - 2], below.back());
            for (std::size_t i = below.size() - 2; i-- > 0;) add_binary(tree, below[i], last());
        }
        numbers.push_back(last());
    }
    return tree;
}

bool is_chain(const PermutationTree& flat, const PermutationTree::Node& node) {
    const auto below = flat.children_of(node);
    if (below.size() < 2) return false;
    // Prime operators of more than two children have no neighbours whose ranks are neighbours.
    const Node &a = flat.nodes[below[0]], &b = flat.nodes[below[1]];
    return a.low + (a.end - a.begin) == b.low || b.low + (b.end - b.begin) == a.low;
}

std::size_t largest_arity(const PermutationTree& flat) {
    std::size_t largest = 0;
    for (const Node& node : flat.nodes) {
        largest = std::max<std::size_t>(largest, is_chain(flat, node) ? 2 : node.arity);
    }
    return largest;
}

}  // namespace pentaglot
