#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "forest/forest.hpp"
#include "rules/extract.hpp"
#include "rules/rule_table.hpp"
#include "search/limits.hpp"
#include "search/model.hpp"

namespace pentaglot {

// What an edge of a searched forest stands for.
struct EdgeOrigin {
    static constexpr std::uint32_t glue = UINT32_MAX;
    static constexpr std::uint32_t start = UINT32_MAX - 1;
    static constexpr std::uint32_t finish = UINT32_MAX - 2;
    // Every other value is the number of a rule in the table.
    static bool is_rule(std::uint32_t origin) { return origin < finish; }
};

// The payload of an edge in the forest: its origin in the low half, above it the input nodes between which it lies (16
// bits each; a node beyond 65,535 counts as that).
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
    float language = 0;               // what the language model adds here, log10
    float distortion = 0;             // how far the input was jumped over
    float input = 0;                  // scores of the words of an input lattice
    std::uint32_t reordering = none;  // place of the first of this edge's reordering features, see SearchGraph
    float score = 0;                  // of the best derivation through this edge
    std::uint32_t next = none;        // another edge of the same item
    bool appends = false;             // the rule's words follow those of the only tail

    // What closes a translation of the whole input, up to node `end`; its scores are still to be given.
    static SearchEdge closing(std::uint32_t tail, std::size_t end) {
        SearchEdge edge;
        edge.origin = EdgeOrigin::finish;
        edge.end = static_cast<std::uint32_t>(end);
        edge.tail_count = 1;
        edge.tails[0] = tail;
        return edge;
    }
};

// A set of partial translations that nothing to come can tell apart; what makes them so is kept by the search itself.
struct SearchItem {
    float score = 0;  // of the best derivation
    std::uint32_t best_edge = SearchEdge::none;
    std::uint32_t first_edge = SearchEdge::none;
};

// What a search has made so far. Items are made after their tails, so their numbers are in topological order.
class SearchGraph {
  public:
    std::vector<SearchItem> items;
    std::vector<SearchEdge> edges;
    std::vector<FeatureValue> reordering;  // two for each edge that has any

    std::uint32_t add_item() {
        items.emplace_back();
        return static_cast<std::uint32_t>(items.size() - 1);
    }
    void add_edge(std::uint32_t item, SearchEdge edge);

    // What leads to `goal` as a forest with feature vectors; only the best derivation unless `whole`.
    Forest forest(std::uint32_t goal, const RuleTable& table, const SearchModel& model, bool whole,
                  const Watch& watch) const;

  private:
    std::vector<std::uint32_t> edges_of(const SearchItem& item, bool whole) const;
    std::vector<std::uint8_t> needed(std::uint32_t goal, bool whole) const;
    void features_of(const SearchEdge& edge, const RuleTable& table, const SearchModel& model,
                     std::vector<FeatureValue>& features) const;
    std::vector<Symbol> target_of(const SearchEdge& edge, const RuleTable& table) const;
};

struct SearchOutcome {
    std::optional<Forest> forest;  // none if no translation obeys the constraint
    bool limited;                  // a limit was met: there may be better translations
    std::size_t hypotheses;        // made in all
    std::uint32_t reached;         // how many words of the constraint translations can begin with
};

}  // namespace pentaglot
