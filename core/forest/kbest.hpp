#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/parallel.hpp"
#include "forest/derivation.hpp"
#include "forest/fingerprint.hpp"
#include "forest/forest.hpp"

namespace pentaglot {

// The derivations of a forest from the best down, each found when it is asked for (Huang and Chiang 2005, algorithm 3).
// The forest and the scores must outlive it.
//
// Of equally good derivations of a node, the one whose topmost edge comes first is first; then the one with the better
// derivations of its tails, first tail first. With `distinct`, only the best derivation of each string of words is
// given; the others are already left out at every node (Huang, Knight and Joshi 2006), which is exact because what is
// above a node cannot tell them apart.
class KBest {
  public:
    KBest(const Forest& forest, std::span<const double> scores, bool distinct);
    KBest(const KBest&) = delete;
    KBest& operator=(const KBest&) = delete;

    // Appends up to `count` further derivations and returns how many there were.
    std::size_t next(std::size_t count, Derivations& to, const Poll& poll = {});

  private:
    // An edge with a choice of derivations (by rank) for its tails.
    struct Candidate {
        double score;
        EdgeId edge;
        std::size_t ranks;  // where in ranks_
    };
    struct Node {
        std::vector<Candidate> found;  // in order
        std::vector<Candidate> heap;
        std::vector<Fingerprint> yields;  // of `found`, if distinct
        std::unordered_set<Fingerprint, FingerprintHash> seen;
        Candidate last{0.0, 0, 0};  // taken from the heap, but its successors are not in it yet
        bool has_last = false;
        bool exhausted = false;
    };
    struct Frame {
        NodeId node;
        std::size_t tail;  // the successors of `last` up to here are in the heap
    };

    Node& open(NodeId node);
    bool worse(const Candidate& a, const Candidate& b) const;
    double score_of(NodeId node, std::uint32_t rank) const;
    Fingerprint yield_of(EdgeId edge, std::size_t ranks) const;
    bool has(NodeId node, std::size_t rank) const;
    void find_one_more(NodeId node, const Poll& poll);
    bool push_successors(Frame& frame, Node& at, NodeId& blocked_on);
    void push_successor(Node& at, const Candidate& from, std::size_t tail);
    bool take_best(Node& at);
    void write(std::size_t rank, Derivations& to) const;

    const Forest& forest_;
    std::span<const double> scores_;
    bool distinct_;
    Best best_;
    std::vector<Fingerprint> best_yields_;
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<std::uint32_t> ranks_;
    std::size_t given_ = 0;
    std::size_t steps_ = 0;
};

}  // namespace pentaglot
