#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forest/forest.hpp"
#include "rules/extract.hpp"
#include "rules/rule_table.hpp"
#include "search/feature_set.hpp"
#include "search/limits.hpp"

namespace pentaglot {

// The payload of an edge in the forest: its origin in the low half, above it the input nodes between which it lies (16
// bits each; nodes beyond 65,535 are stored as 65,535).
constexpr std::uint64_t edge_payload(std::uint32_t origin, std::uint32_t begin, std::uint32_t end) {
    const auto narrow = [](std::uint32_t node) { return std::uint64_t{node < 0xFFFF ? node : 0xFFFF}; };
    return origin | (narrow(begin) << 32U) | (narrow(end) << 48U);
}

// One way to make an item: a rule (or a special origin) over other items.
struct SearchEdge {
    static constexpr std::uint32_t none = UINT32_MAX;

    std::uint32_t origin = EdgeOrigin::start;
    std::uint32_t begin = 0, end = 0;  // input nodes
    std::uint32_t tail_count = 0;
    std::array<std::uint32_t, max_gaps> tails{};
    float score = 0;            // of the best derivation through this edge
    std::uint32_t next = none;  // another edge of the same item
    bool appends = false;       // the rule's words follow those of the only tail

    // An edge that closes a translation of the whole input, up to node `end`; its score is still to be set.
    static SearchEdge closing(std::uint32_t tail, std::size_t end) {
        SearchEdge edge;
        edge.origin = EdgeOrigin::finish;
        edge.end = static_cast<std::uint32_t>(end);
        edge.tail_count = 1;
        edge.tails[0] = tail;
        return edge;
    }
};

// A set of partial translations that nothing to come can tell apart; their states are kept by the search itself.
struct SearchItem {
    float score = 0;  // of the best derivation
    std::uint32_t best_edge = SearchEdge::none;
    std::uint32_t first_edge = SearchEdge::none;
};

// The values of features with state, by the numbers of edges.
class EdgeValues {
  public:
    explicit EdgeValues(const FeatureSet& features) : features_(features) {}

    // Adds those of the next edge. `values` are as in a row of FeatureSet, or null if all are 0.
    void add(const float* values, std::span<const FeatureValue> sparse = {}) {
        for (std::size_t at = 0; at < features_.values(); ++at) values_.push_back(values == nullptr ? 0 : values[at]);
        if (!features_.has_sparse_values()) return;
        sparse_.insert(sparse_.end(), sparse.begin(), sparse.end());
        sparse_offsets_.push_back(sparse_.size());
    }
    const float* of(std::size_t edge) const { return values_.data() + edge * features_.values(); }
    std::span<const FeatureValue> sparse_of(std::size_t edge) const {
        if (!features_.has_sparse_values()) return {};
        return std::span(sparse_).subspan(sparse_offsets_[edge], sparse_offsets_[edge + 1] - sparse_offsets_[edge]);
    }

  private:
    const FeatureSet& features_;
    std::vector<float> values_;
    std::vector<FeatureValue> sparse_;
    std::vector<std::size_t> sparse_offsets_{0};
};

// What a search has made so far. Items are made after their tails, so their numbers are in topological order.
class SearchGraph {
  public:
    explicit SearchGraph(const FeatureSet& features) : features_(features), values_(features) {}

    std::vector<SearchItem> items;
    std::vector<SearchEdge> edges;

    std::uint32_t add_item() {
        items.emplace_back();
        return static_cast<std::uint32_t>(items.size() - 1);
    }
    // `values` and `sparse` as in EdgeValues.
    void add_edge(std::uint32_t item, const SearchEdge& edge, const float* values,
                  std::span<const FeatureValue> sparse = {});
    // Adds the edge that everything starts with.
    void add_start(std::uint32_t item) { add_edge(item, {}, nullptr); }

    // A forest, with feature vectors, of all that leads to `goal`; only the best derivation unless `whole`.
    Forest forest(std::uint32_t goal, const RuleTable& table, bool whole, const Watch& watch) const;

  private:
    std::vector<std::uint32_t> edges_of(const SearchItem& item, bool whole) const;
    std::vector<std::uint8_t> needed(std::uint32_t goal, bool whole) const;
    void features_of(std::uint32_t edge, std::vector<FeatureValue>& found) const;
    std::vector<Symbol> target_of(const SearchEdge& edge, const RuleTable& table) const;

    const FeatureSet& features_;
    EdgeValues values_;
};

struct SearchOutcome {
    std::optional<Forest> forest;  // none if the automaton accepts no translation
    bool limited;                  // a limit was met: there may be better translations
    std::size_t hypotheses;        // made in all
    std::uint32_t reached;         // the last place of the automaton that beginnings of translations lead to
};

}  // namespace pentaglot
