#include "forest/kbest.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace pentaglot {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
constexpr std::size_t steps_between_polls = 1 << 14;

}  // namespace

KBest::KBest(const Forest& forest, std::span<const double> scores, bool distinct)
    : forest_(forest), scores_(scores), distinct_(distinct), nodes_(forest.nodes()) {
    check_scores(forest, scores);
    best_ = best_edges(forest, scores);
    if (!distinct_) return;
    best_yields_.resize(forest.nodes());
    for (NodeId node = 0; node < forest.nodes(); ++node) {
        if (best_.scores[node] == none) continue;
        Fingerprint yield;
        const EdgeId edge = best_.edges[node];
        for (const Symbol symbol : forest.symbols(edge)) {
            yield = yield + (is_tail(symbol) ? best_yields_[forest.tails(edge)[tail_of(symbol)]]
                                             : Fingerprint(static_cast<WordId>(symbol)));
        }
        best_yields_[node] = yield;
    }
}

std::size_t KBest::next(std::size_t count, Derivations& to, const Poll& poll) {
    const NodeId goal = forest_.goal();
    if (best_.scores[goal] == none) return 0;
    open(goal);
    std::size_t added = 0;
    for (; added < count; ++added, ++given_) {
        if (!has(goal, given_)) {
            if (nodes_[goal]->exhausted) break;
            find_one_more(goal, poll);
            if (!has(goal, given_)) break;
        }
        write(given_, to);
    }
    return added;
}

// When a node is first asked for a derivation, its best one is found and its other edges go into the heap. Of nodes
// that were never asked, only the best derivation is known, in best_.
KBest::Node& KBest::open(NodeId node) {
    if (nodes_[node] != nullptr) return *nodes_[node];
    nodes_[node] = std::make_unique<Node>();
    Node& opened = *nodes_[node];
    for (EdgeId edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge) {
        double score = scores_[edge];
        const auto tails = forest_.tails(edge);
        for (const NodeId tail : tails) score += best_.scores[tail];
        if (score == none) continue;
        opened.heap.push_back({score, edge, ranks_.size()});
        ranks_.insert(ranks_.end(), tails.size(), 0);
    }
    const auto order = [this](const Candidate& a, const Candidate& b) { return worse(a, b); };
    std::make_heap(opened.heap.begin(), opened.heap.end(), order);
    take_best(opened);
    return opened;
}

bool KBest::worse(const Candidate& a, const Candidate& b) const {
    if (a.score != b.score) return a.score < b.score;
    if (a.edge != b.edge) return a.edge > b.edge;
    const std::size_t arity = forest_.tails(a.edge).size();
    const auto* first = ranks_.data() + a.ranks;
    const auto* second = ranks_.data() + b.ranks;
    return std::lexicographical_compare(second, second + arity, first, first + arity);
}

double KBest::score_of(NodeId node, std::uint32_t rank) const {
    return rank == 0 ? best_.scores[node] : nodes_[node]->found[rank].score;
}

Fingerprint KBest::yield_of(EdgeId edge, std::size_t ranks) const {
    Fingerprint yield;
    for (const Symbol symbol : forest_.symbols(edge)) {
        if (!is_tail(symbol)) {
            yield = yield + Fingerprint(static_cast<WordId>(symbol));
            continue;
        }
        const NodeId tail = forest_.tails(edge)[tail_of(symbol)];
        const std::uint32_t rank = ranks_[ranks + tail_of(symbol)];
        yield = yield + (rank == 0 ? best_yields_[tail] : nodes_[tail]->yields[rank]);
    }
    return yield;
}

bool KBest::has(NodeId node, std::size_t rank) const {
    return nodes_[node] != nullptr && rank < nodes_[node]->found.size();
}

// Recursion over tails, with a stack of its own: forests may be as deep as they like.
void KBest::find_one_more(NodeId node, const Poll& poll) {
    std::vector<Frame> stack{{node, 0}};
    while (!stack.empty()) {
        if (poll && ++steps_ % steps_between_polls == 0) poll();
        Frame& frame = stack.back();
        Node& at = open(frame.node);
        NodeId blocked_on = 0;
        if (!push_successors(frame, at, blocked_on)) {
            stack.push_back({blocked_on, 0});
        } else if (at.heap.empty()) {
            at.exhausted = true;
            stack.pop_back();
        } else if (take_best(at)) {
            stack.pop_back();
        } else {
            frame.tail = 0;  // a string seen before: its successors may still be new
        }
    }
}

// Puts the successors of the candidate taken last into the heap. Each candidate is the successor of just one other:
// ranks are raised only from the last one above zero onwards. False if a tail must find one more derivation first.
bool KBest::push_successors(Frame& frame, Node& at, NodeId& blocked_on) {
    if (!at.has_last) return true;
    const auto tails = forest_.tails(at.last.edge);
    std::size_t first = tails.size();
    while (first > 1 && ranks_[at.last.ranks + first - 1] == 0) --first;
    if (first > 0) --first;
    for (frame.tail = std::max(frame.tail, first); frame.tail < tails.size(); ++frame.tail) {
        const NodeId tail = tails[frame.tail];
        const std::size_t rank = ranks_[at.last.ranks + frame.tail] + std::size_t{1};
        if (!has(tail, rank)) {
            if (nodes_[tail] != nullptr && nodes_[tail]->exhausted) continue;
            blocked_on = tail;
            return false;
        }
        push_successor(at, at.last, frame.tail);
    }
    at.has_last = false;
    return true;
}

void KBest::push_successor(Node& at, const Candidate& from, std::size_t tail) {
    const auto tails = forest_.tails(from.edge);
    Candidate next{scores_[from.edge], from.edge, ranks_.size()};
    for (std::size_t t = 0; t < tails.size(); ++t) {
        const std::uint32_t rank = ranks_[from.ranks + t] + (t == tail ? 1U : 0U);
        ranks_.push_back(rank);
        next.score += score_of(tails[t], rank);
    }
    at.heap.push_back(next);
    std::push_heap(at.heap.begin(), at.heap.end(),
                   [this](const Candidate& a, const Candidate& b) { return worse(a, b); });
}

// Moves the best candidate from the heap to the derivations found; false if its string was found before.
bool KBest::take_best(Node& at) {
    std::pop_heap(at.heap.begin(), at.heap.end(),
                  [this](const Candidate& a, const Candidate& b) { return worse(a, b); });
    at.last = at.heap.back();
    at.has_last = true;
    at.heap.pop_back();
    if (distinct_) {
        const Fingerprint yield = yield_of(at.last.edge, at.last.ranks);
        if (!at.seen.insert(yield).second) return false;
        at.yields.push_back(yield);
    }
    at.found.push_back(at.last);
    return true;
}

void KBest::write(std::size_t rank, Derivations& to) const {
    struct Choice {
        NodeId node;
        std::size_t rank;
    };
    std::vector<Choice> open{{forest_.goal(), rank}};
    const std::size_t begun = to.edges.size();
    while (!open.empty()) {
        const Choice choice = open.back();
        open.pop_back();
        if (to.edges.size() - begun == largest_derivation) throw Error("a derivation of the forest is too large");
        const bool known = nodes_[choice.node] != nullptr;
        const EdgeId edge = known ? nodes_[choice.node]->found[choice.rank].edge : best_.edges[choice.node];
        to.edges.push_back(edge);
        const auto tails = forest_.tails(edge);
        for (std::size_t t = tails.size(); t-- > 0;) {
            open.push_back({tails[t], known ? ranks_[nodes_[choice.node]->found[choice.rank].ranks + t] : 0U});
        }
    }
    to.scores.push_back(nodes_[forest_.goal()]->found[rank].score);
    to.offsets.push_back(to.edges.size());
}

}  // namespace pentaglot
