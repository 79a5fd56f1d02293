#include "order/order_measures.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/listening.hpp"
#include "order/permutation_tree.hpp"

namespace pentaglot {
namespace {

using Node = PermutationTree::Node;

// How many pairs are in order, counted with a Fenwick tree over ranks.
double pairs_in_order(std::span<const Position> ranks) {
    std::vector<std::uint32_t> counts(ranks.size() + 1, 0);
    double found = 0;
    for (const Position rank : ranks) {
        for (std::size_t at = rank; at > 0; at &= at - 1) found += counts[at];
        for (std::size_t at = rank + std::size_t{1}; at < counts.size(); at += at & (~at + 1)) ++counts[at];
    }
    return found;
}

double longest_row(std::span<const Position> ranks) {
    std::vector<Position> ends;  // the least rank at which a row of each length can end
    for (const Position rank : ranks) {
        const auto place = std::lower_bound(ends.begin(), ends.end(), rank);
        if (place == ends.end()) {
            ends.push_back(rank);
        } else {
            *place = rank;
        }
    }
    return static_cast<double>(ends.size());
}

void measure_flat(std::span<const Position> ranks, OrderMeasures& found) {
    const auto n = static_cast<double>(ranks.size());
    double at_place = 0, squares = 0, breaks = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const double apart = static_cast<double>(ranks[i]) - static_cast<double>(i);
        at_place += apart == 0;
        squares += apart * apart;
        breaks += i > 0 && ranks[i] != ranks[i - 1] + 1;
    }
    found.hamming = at_place / n;
    if (ranks.size() < 2) {
        found.kendall = found.kendall_root = found.spearman = found.ulam = found.fuzzy = 1;
        return;
    }
    found.kendall = pairs_in_order(ranks) / (n * (n - 1) / 2);
    found.kendall_root = 1 - std::sqrt(1 - found.kendall);
    found.spearman = 1 - 3 * squares / (n * (n * n - 1));
    found.ulam = (longest_row(ranks) - 1) / (n - 1);
    found.fuzzy = 1 - breaks / (n - 1);
}

double log_catalan(double n) {
    return std::lgamma(2 * n + 1) - std::lgamma(n + 1) - std::lgamma(n + 2);
}

// Exact as far as doubles are.
double catalan(std::size_t n) {
    double found = 1;
    for (std::size_t i = 0; i < n; ++i) {
        const auto k = static_cast<double>(i);
        found = found * 2 * (2 * k + 1) / (k + 2);
    }
    return found;
}

void measure_nodes(const PermutationTree& flat, std::size_t units, OrderMeasures& found) {
    double nodes = 0, log_trees = 0, trees = 1;
    const bool small = units <= 30;
    for (const Node& node : flat.nodes) {
        if (node.arity == 0) continue;
        if (!is_chain(flat, node)) {
            nodes += 1;
            (node.arity == 4 ? found.of_four : found.of_more) += 1;
            continue;
        }
        const std::size_t binary = node.arity - std::size_t{1};
        nodes += static_cast<double>(binary);
        (flat.is_monotone(node) ? found.straight : found.turned) += static_cast<double>(binary);
        if (small) trees *= catalan(binary);
        log_trees += log_catalan(static_cast<double>(binary));
    }
    for (double* share : {&found.straight, &found.turned, &found.of_four, &found.of_more})
        *share /= std::max(nodes, 1.0);
    const auto n = static_cast<double>(units);
    if (units < 3) {
        found.tree_size = found.operator_size = 1;
        found.tree_number = units == 1 || found.straight > 0;
        return;
    }
    found.tree_size = (nodes - 1) / (n - 2);
    found.operator_size = 1 - (static_cast<double>(largest_arity(flat)) - 2) / (n - 2);
    // Above 30 units the quotient of the counts themselves differs from this by less than 1e-15; it is 0 for a single
    // tree.
    found.tree_number = small             ? (trees - 1) / (catalan(units - 1) - 1)
                        : log_trees > 0.5 ? std::exp(log_trees - log_catalan(n - 1))
                                          : 0.0;
}

// RecPET over the canonical tree; children come before their parents.
double tree_score(const PermutationTree& tree, double beta) {
    std::vector<double> scores;
    scores.reserve(tree.nodes.size());
    for (const Node& node : tree.nodes) {
        if (node.arity == 0) {
            scores.push_back(1);
            continue;
        }
        const double own = node.arity == 2 && tree.is_monotone(node) ? 1 : 0;
        double below = 0, large = 0;
        for (const auto child : tree.children_of(node)) {
            if (tree.nodes[child].arity == 0) continue;
            below += scores[child];
            large += 1;
        }
        scores.push_back(large > 0 ? beta * own + (1 - beta) * below / large : own);
    }
    return scores.back();
}

struct Child {
    double score;
    std::size_t words;
};

// RecPEF of a chain of one binary operator: the mean over where each stretch of its children is divided. The scores of
// all beginnings of a stretch, and of all its ends, are kept as running sums, so each stretch takes one step: O(n^2).
double chain_score(double own, std::span<const Child> children, double beta) {
    const std::size_t size = children.size();
    std::vector<double> now(size), beginnings(size, 0.0), ends(size + 1, 0.0);
    for (std::size_t x = 0; x < size; ++x) now[x] = children[x].score;
    std::vector<double> before;
    for (std::size_t length = 2; length <= size; ++length) {
        listen();
        before = now;  // of stretches that are one shorter
        for (std::size_t x = 0; x + length - 1 <= size; ++x) {
            beginnings[x] += before[x];  // of [x, k) for all k of this length less one or shorter
            ends[x + length - 1] += before[x];
        }
        for (std::size_t x = 0; x + length <= size; ++x) {
            const std::size_t y = x + length;
            const bool word_first = children[x].words == 1, word_last = children[y - 1].words == 1;
            if (length == 2 && word_first && word_last) {
                now[x] = own;
                continue;
            }
            // Both parts count by half, except that a part that is one word does not count.
            double sum = (beginnings[x] + ends[y]) / 2;
            if (word_first) sum += (before[x + 1] - children[x].score) / 2;
            if (word_last) sum += (before[x] - children[y - 1].score) / 2;
            now[x] = beta * own + (1 - beta) * sum / static_cast<double>(length - 1);
        }
    }
    return now[0];
}

double prime_score(std::span<const Child> children, double beta) {
    double below = 0, large = 0;
    for (const Child& child : children) {
        if (child.words == 1) continue;
        below += child.score;
        large += 1;
    }
    return large > 0 ? (1 - beta) * below / large : 0;
}

// The same with every tree equally likely and children weighted by length. A stretch is divided after `a` of its
// children in a share Cat(a-1) Cat(length-a-1) / Cat(length-1) of its trees. O(n^3).
double uniform_chain(double own, std::span<const Child> children, double beta) {
    const std::size_t size = children.size();
    std::vector<double> logs(size, 0.0), shares(size, 0.0), starts(size + 1, 0.0);
    for (std::size_t n = 0; n < size; ++n) logs[n] = log_catalan(static_cast<double>(n));
    for (std::size_t x = 0; x < size; ++x) starts[x + 1] = starts[x] + static_cast<double>(children[x].words);
    std::vector<std::vector<double>> scores{{}, {}};  // by length and beginning
    for (const Child& child : children) scores[1].push_back(child.score);
    for (std::size_t length = 2; length <= size; ++length) {
        for (std::size_t a = 1; a < length; ++a)
            shares[a] = std::exp(logs[a - 1] + logs[length - a - 1] - logs[length - 1]);
        scores.emplace_back();
        for (std::size_t x = 0; x + length <= size; ++x) {
            listen();
            double sum = 0;
            for (std::size_t a = 1; a < length; ++a) {
                sum += shares[a] * ((starts[x + a] - starts[x]) * scores[a][x] +
                                    (starts[x + length] - starts[x + a]) * scores[length - a][x + a]);
            }
            scores[length].push_back(beta * own + (1 - beta) * sum / (starts[x + length] - starts[x]));
        }
    }
    return scores[size][0];
}

double uniform_prime(std::span<const Child> children, double beta) {
    double below = 0, words = 0;
    for (const Child& child : children) {
        below += static_cast<double>(child.words) * child.score;
        words += static_cast<double>(child.words);
    }
    return (1 - beta) * below / words;
}

double forest_score(const PermutationTree& flat, double beta, bool uniform) {
    std::vector<double> scores;
    std::vector<Child> children;
    for (const Node& node : flat.nodes) {
        if (node.arity == 0) {
            scores.push_back(1);
            continue;
        }
        children.clear();
        for (const auto child : flat.children_of(node)) {
            const Node& below = flat.nodes[child];
            children.push_back({scores[child], static_cast<std::size_t>(below.end - below.begin)});
        }
        if (is_chain(flat, node)) {
            const double own = flat.is_monotone(node) ? 1 : 0;
            scores.push_back(uniform ? uniform_chain(own, children, beta) : chain_score(own, children, beta));
        } else {
            scores.push_back(uniform ? uniform_prime(children, beta) : prime_score(children, beta));
        }
    }
    return scores.back();
}

// Rescaled so that the inverted order has 0.
double uniform_score(const PermutationTree& flat, std::size_t units, double beta) {
    if (units < 2 || beta == 0) return 1;  // where no operator counts, all orders are alike
    const std::vector<Child> words(units, Child{1, 1});
    const double lowest = uniform_chain(0, words, beta), found = forest_score(flat, beta, true);
    return std::max(0.0, (found - lowest) / (1 - lowest));
}

}  // namespace

OrderMeasures order_measures(std::span<const Position> ranks, double beta, bool uniform) {
    OrderMeasures found;
    if (ranks.empty()) return found;
    measure_flat(ranks, found);
    const PermutationTree tree = linear_tree(ranks);
    const PermutationTree flat = flat_tree(tree);
    measure_nodes(flat, ranks.size(), found);
    found.tree_score = tree_score(tree, beta);
    found.forest_score = forest_score(flat, beta, false);
    if (uniform) found.uniform_score = uniform_score(flat, ranks.size(), beta);
    return found;
}

}  // namespace pentaglot
