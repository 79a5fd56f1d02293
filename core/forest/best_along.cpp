#include "forest/best_along.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "forest/envelope.hpp"

namespace pentaglot {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Derivations as lines; each knows its topmost edge and the lines of that edge's tails.
struct Lines {
    std::vector<double> slopes, intercepts;
    std::vector<EdgeId> edges;
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint64_t> below;  // lines of tails

    std::size_t size() const { return edges.size(); }
    void clear() {
        slopes.clear();
        intercepts.clear();
        edges.clear();
        offsets.assign(1, 0);
        below.clear();
    }
    void add(double slope, double intercept, EdgeId edge, std::span<const std::uint64_t> tails) {
        slopes.push_back(slope);
        intercepts.push_back(intercept);
        edges.push_back(edge);
        below.insert(below.end(), tails.begin(), tails.end());
        offsets.push_back(below.size());
    }
    std::span<const std::uint64_t> tails(std::size_t line) const {
        return std::span(below).subspan(offsets[line], offsets[line + 1] - offsets[line]);
    }
};

class Envelopes {
  public:
    Envelopes(const Forest& forest, std::span<const double> scores, std::span<const double> slopes)
        : forest_(forest), scores_(scores), slopes_(slopes) {
        for (NodeId node = 0; node < forest.nodes(); ++node) {
            listen_at<64>(node);
            candidates_.clear();
            for (EdgeId edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) add_up(edge);
            keep_highest();
        }
    }

    BestAlong of(NodeId node) const {
        BestAlong found;
        for (std::size_t line = firsts_[node]; line < firsts_[node + std::size_t{1}]; ++line) {
            listen();
            found.starts.push_back(starts_[line]);
            found.derivations.scores.push_back(kept_.intercepts[line]);
            write(line, found.derivations.edges);
            found.derivations.offsets.push_back(found.derivations.edges.size());
        }
        return found;
    }

  private:
    // The envelope of an edge is the sum of those of its tails: wherever one of these changes, so does the sum.
    void add_up(EdgeId edge) {
        if (scores_[edge] == -infinity) return;
        const auto tails = forest_.tails(edge);
        at_.clear();
        for (const NodeId tail : tails) {
            if (firsts_[tail] == firsts_[tail + std::size_t{1}]) return;  // nothing derives it
            at_.push_back(firsts_[tail]);
        }
        while (true) {
            double slope = slopes_[edge], intercept = scores_[edge], next = infinity;
            for (std::size_t tail = 0; tail < tails.size(); ++tail) {
                slope += kept_.slopes[at_[tail]];
                intercept += kept_.intercepts[at_[tail]];
                if (has_next(tails[tail], at_[tail])) next = std::min(next, starts_[at_[tail] + 1]);
            }
            // Sums of sums overflow in deep forests, and envelopes are made of numbers.
            if (!std::isfinite(slope) || !std::isfinite(intercept))
                throw Error("the scores of a derivation are too large to be added up");
            candidates_.add(slope, intercept, edge, at_);
            if (next == infinity) return;
            for (std::size_t tail = 0; tail < tails.size(); ++tail)
                if (has_next(tails[tail], at_[tail]) && starts_[at_[tail] + 1] == next) ++at_[tail];
        }
    }
    bool has_next(NodeId node, std::uint64_t line) const { return line + 1 < firsts_[node + std::size_t{1}]; }

    void keep_highest() {
        if (candidates_.size() > 0) {
            const std::size_t top = first_largest(candidates_.intercepts);
            for (const Piece& piece : envelope_.of(candidates_.slopes, candidates_.intercepts, top)) {
                starts_.push_back(piece.from);
                kept_.add(candidates_.slopes[piece.line], candidates_.intercepts[piece.line],
                          candidates_.edges[piece.line], candidates_.tails(piece.line));
            }
        }
        firsts_.push_back(kept_.size());
    }

    void write(std::size_t line, std::vector<EdgeId>& edges) const {
        const std::size_t begin = edges.size();
        std::vector<std::uint64_t> waiting{line};
        while (!waiting.empty()) {
            const std::uint64_t next = waiting.back();
            waiting.pop_back();
            edges.push_back(kept_.edges[next]);
            if (edges.size() - begin > largest_derivation) throw Error("a derivation of the forest is too large");
            const auto tails = kept_.tails(next);
            for (std::size_t tail = tails.size(); tail-- > 0;) waiting.push_back(tails[tail]);
        }
    }

    const Forest& forest_;
    std::span<const double> scores_, slopes_;
    Lines kept_, candidates_;  // of all nodes so far; of the node at hand
    std::vector<double> starts_;
    std::vector<std::uint64_t> firsts_{0};  // node -> its lines
    std::vector<std::uint64_t> at_;         // lines of the tails of the edge at hand
    UpperEnvelope envelope_;
};

}  // namespace

BestAlong best_along(const Forest& forest, std::span<const double> scores, std::span<const double> slopes) {
    check_scores(forest, scores);
    if (slopes.size() != forest.edges()) throw Error("every edge needs a slope");
    if (!std::ranges::all_of(slopes, [](double slope) { return std::abs(slope) <= largest_score; }))
        throw Error("a slope is not a usable number");
    return Envelopes(forest, scores, slopes).of(forest.goal());
}

}  // namespace pentaglot
