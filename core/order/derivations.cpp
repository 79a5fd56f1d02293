#include "order/derivations.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/random.hpp"

namespace pentaglot {
namespace {

// Takes the largest weight, the first of equals.
class TakeBest {
  public:
    void begin(double) { best_ = -1.0; }
    // Whether this is the one, as far as is known.
    bool offer(float weight) {
        if (!(weight > best_)) return false;
        best_ = weight;
        return true;
    }

  private:
    float best_ = -1.0F;
};

// Takes each with a probability that is its share of the total.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}
    void begin(double total) {
        left_ = random_.uniform() * total;
        done_ = false;
    }
    bool offer(float weight) {
        if (done_ || !(weight > 0.0F)) return false;
        left_ -= weight;
        done_ = left_ < 0.0;
        return true;  // the last possible one stays, in case rounding leaves a little over
    }

  private:
    Random random_;
    double left_ = 0.0;
    bool done_ = false;
};

// Goes from the root down, choosing at every step.
template <typename Chooser>
ParseTree derive(const Parse& parse, Chooser& chooser) {
    const ReorderingGrammar& grammar = parse.grammar();
    const GrammarLayout& layout = grammar.layout();
    struct Open {
        std::size_t begin, end, slot, state;
    };
    ParseTree tree;
    std::vector<Open> open;
    const auto add = [&](std::size_t begin, std::size_t end, OperatorId kind, std::size_t state) {
        tree.nodes.push_back(
            {static_cast<Position>(begin), static_cast<Position>(end), kind, static_cast<std::uint16_t>(state)});
    };
    const auto expand = [&](const Open& at) {
        const std::size_t cell = parse.cell(at.begin, at.end);
        const std::size_t column = layout.first_slot[at.slot] + at.state;
        chooser.begin(parse.filled(cell)[column]);
        std::size_t chosen = layout.all_states;  // the word or phrase itself
        if (const float value = parse.leaf_value(cell, at.slot, at.state); value > 0.0F) chooser.offer(value);
        const float *own = parse.states(cell), *probabilities = grammar.column(column);
        for (std::size_t t = 0; t < layout.all_states && at.end > at.begin + 1; ++t) {
            if (chooser.offer(own[t] * probabilities[t])) chosen = t;
        }
        if (chosen == layout.all_states) {
            add(at.begin, at.end, root, 0);
            return;
        }
        OperatorId kind = 0;
        while (chosen >= layout.first_state[kind] + layout.states[kind]) ++kind;
        const std::size_t state = chosen - layout.first_state[kind];
        add(at.begin, at.end, kind, state);
        std::size_t end = at.end;
        for (std::size_t children = arity_of(kind); children > 1; --children) {
            const std::size_t both = parse.cell(at.begin, end);
            chooser.begin(children == arity_of(kind) ? own[chosen] : parse.part(both, kind, children)[state]);
            std::size_t split = at.begin + children - 1;
            for (std::size_t k = kind == loose_last ? end - 1 : split; k < end; ++k) {
                const std::size_t left = parse.cell(at.begin, k), right = parse.cell(k, end);
                const float before = children == 2 ? parse.filled(left)[layout.slot(kind, 0) + state]
                                                   : parse.part(left, kind, children - 1)[state];
                const float after = parse.filled(right)[layout.slot(kind, children - 1) + state];
                if (chooser.offer(parse.join_factor(left, right, both) * before * after)) split = k;
                if (kind == loose_first) break;
            }
            open.push_back({split, end, first_slot_numbers[kind] + children - 1, state});
            end = split;
        }
        open.push_back({at.begin, end, first_slot_numbers[kind], state});
    };
    for (const Parse::Piece& piece : parse.pieces()) {
        if (!piece.parsed) {
            add(piece.begin, piece.end, root, 0);
            continue;
        }
        open.push_back({piece.begin, piece.end, first_slot_numbers[root], 0});
        while (!open.empty()) {
            const Open at = open.back();
            open.pop_back();
            expand(at);
        }
    }
    return tree;
}

}  // namespace

std::vector<Position> ParseTree::order() const {
    // Places are handed out from the root down: a node's children share its stretch of places.
    std::size_t words = 0;
    for (const Node& node : nodes) words = std::max<std::size_t>(words, node.end);
    std::vector<Position> order(words);
    std::vector<std::size_t> places(nodes.size(), 0), next(nodes.size(), 0);
    // The end of every subtree, from the last node on.
    for (std::size_t i = nodes.size(); i-- > 0;) {
        next[i] = i + 1;
        for (std::size_t c = 0; nodes[i].kind != root && c < arity_of(nodes[i].kind); ++c) next[i] = next[next[i]];
    }
    for (std::size_t i = 0; i < nodes.size(); i = next[i]) places[i] = nodes[i].begin;  // pieces stay where they are
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        if (node.kind == root) {
            for (Position word = node.begin; word < node.end; ++word) {
                order[places[i] + word - node.begin] = word;
            }
            continue;
        }
        std::array<std::size_t, most_children> children{};
        for (std::size_t c = 0, child = i + 1; c < arity_of(node.kind); ++c, child = next[child]) children[c] = child;
        std::size_t place = places[i];
        for (std::size_t p = 0; p < arity_of(node.kind); ++p) {
            const std::size_t child = children[operators[node.kind].order[p]];
            places[child] = place;
            place += nodes[child].end - nodes[child].begin;
        }
    }
    return order;
}

ParseTree best_tree(const Parse& parse) {
    TakeBest chooser;
    return derive(parse, chooser);
}

DrawnOrders draw_orders(const Parse& parse, std::size_t count, std::uint64_t seed) {
    constexpr std::size_t most = 100'000'000;
    if (count > most / parse.size()) throw Error("too many orders are to be drawn from a sentence");
    std::map<std::vector<Position>, std::uint32_t> drawn;
    for (std::size_t i = 0; i < count; ++i) {
        listen_at<8>(i);
        Draw chooser(Random(Random(seed).next() + i).next());
        ++drawn[derive(parse, chooser).order()];
    }
    std::vector<const std::pair<const std::vector<Position>, std::uint32_t>*> sorted;
    for (const auto& each : drawn) sorted.push_back(&each);
    std::stable_sort(sorted.begin(), sorted.end(), [](auto a, auto b) { return a->second > b->second; });
    DrawnOrders found;
    for (const auto* each : sorted) {
        found.orders.insert(found.orders.end(), each->first.begin(), each->first.end());
        found.counts.push_back(each->second);
    }
    return found;
}

}  // namespace pentaglot
