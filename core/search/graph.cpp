#include "search/graph.hpp"

#include <algorithm>

#include "forest/builder.hpp"

namespace pentaglot {

namespace {

// What rules give to the edges of a forest, put together once for each rule: a rule has many edges.
class RuleParts {
  public:
    RuleParts(const RuleTable& table, const FeatureSet& features, ForestBuilder& builder)
        : table_(table),
          features_(features),
          builder_(builder),
          templates_(table.rules(), none),
          places_(table.rules(), none) {}

    // All edges of a rule in one forest either append its words or do not.
    template <typename Symbols>
    TemplateId target_of(const SearchEdge& edge, const Symbols& symbols) {
        if (!EdgeOrigin::is_rule(edge.origin)) return builder_.add_template(symbols());
        TemplateId& target = templates_[edge.origin];
        if (target == none) target = builder_.add_template(symbols());
        return target;
    }

    // Adds the features of a rule to the last edge of the forest.
    void add_features(std::uint32_t rule) {
        std::uint32_t& place = places_[rule];
        if (place == none) {
            place = static_cast<std::uint32_t>(offsets_.size() - 1);
            collect(rule);
            offsets_.push_back(ids_.size());
        }
        const std::size_t begin = offsets_[place], size = offsets_[place + std::size_t{1}] - begin;
        builder_.add_features(std::span(ids_).subspan(begin, size), std::span(values_).subspan(begin, size));
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;

    void collect(std::uint32_t rule) {
        const std::size_t begin = ids_.size();
        table_.collect_features(rule, ids_, values_);
        if (!features_.conjoins()) return;
        const std::vector<FeatureId> ids(ids_.begin() + static_cast<std::ptrdiff_t>(begin), ids_.end());
        const std::vector<float> values(values_.begin() + static_cast<std::ptrdiff_t>(begin), values_.end());
        ids_.resize(begin);
        values_.resize(begin);
        for (std::size_t at = 0; at < ids.size(); ++at) {
            features_.with_conjoined(ids[at], values[at], [this](FeatureId id, float value) {
                ids_.push_back(id);
                values_.push_back(value);
            });
        }
    }

    const RuleTable& table_;
    const FeatureSet& features_;
    ForestBuilder& builder_;
    std::vector<TemplateId> templates_;
    std::vector<std::uint32_t> places_;  // rule -> its place in offsets_
    std::vector<std::size_t> offsets_{0};
    std::vector<FeatureId> ids_;
    std::vector<float> values_;
};

}  // namespace

void SearchGraph::add_edge(std::uint32_t item, const SearchEdge& edge, const float* values,
                           std::span<const FeatureValue> sparse) {
    SearchItem& head = items[item];
    const auto number = static_cast<std::uint32_t>(edges.size());
    if (head.first_edge == SearchEdge::none || edge.score > head.score) {
        head.score = edge.score;
        head.best_edge = number;
    }
    edges.push_back(edge);
    edges.back().next = head.first_edge;
    head.first_edge = number;
    values_.add(values, sparse);
}

// The edges of an item in the order in which they were made, or only the best one.
std::vector<std::uint32_t> SearchGraph::edges_of(const SearchItem& item, bool whole) const {
    if (!whole) return {item.best_edge};
    std::vector<std::uint32_t> all;
    for (std::uint32_t edge = item.first_edge; edge != SearchEdge::none; edge = edges[edge].next) all.push_back(edge);
    std::reverse(all.begin(), all.end());
    return all;
}

std::vector<std::uint8_t> SearchGraph::needed(std::uint32_t goal, bool whole) const {
    std::vector<std::uint8_t> marks(items.size(), 0);
    marks[goal] = 1;
    for (std::size_t number = goal + std::size_t{1}; number-- > 0;) {
        if (marks[number] == 0) continue;
        for (const std::uint32_t edge : edges_of(items[number], whole)) {
            for (std::uint32_t tail = 0; tail < edges[edge].tail_count; ++tail) marks[edges[edge].tails[tail]] = 1;
        }
    }
    return marks;
}

// The features with state of an edge; those of its rule are added later.
void SearchGraph::features_of(std::uint32_t edge, std::vector<FeatureValue>& found) const {
    found.clear();
    features_.collect(values_.of(edge), edges[edge].origin == EdgeOrigin::glue, found);
    const auto sparse = values_.sparse_of(edge);
    found.insert(found.end(), sparse.begin(), sparse.end());
    if (!features_.conjoins()) return;
    const std::vector<FeatureValue> simple = found;
    found.clear();
    for (const FeatureValue& each : simple) {
        features_.with_conjoined(each.id, each.value, [&](FeatureId id, float value) { found.push_back({id, value}); });
    }
}

std::vector<Symbol> SearchGraph::target_of(const SearchEdge& edge, const RuleTable& table) const {
    std::vector<Symbol> symbols;
    const bool rule = EdgeOrigin::is_rule(edge.origin);
    if (!rule || edge.appends) {
        for (std::uint32_t tail = 0; tail < edge.tail_count; ++tail) symbols.push_back(tail_symbol(tail));
    }
    if (rule) {
        const auto words = table.target(edge.origin);
        symbols.insert(symbols.end(), words.begin(), words.end());
    }
    return symbols;
}

Forest SearchGraph::forest(std::uint32_t goal, const RuleTable& table, bool whole, const Watch& watch) const {
    const auto marks = needed(goal, whole);
    ForestBuilder builder;
    RuleParts parts(table, features_, builder);
    std::vector<NodeId> nodes(items.size(), 0);
    std::vector<FeatureValue> features;
    std::vector<NodeId> tails;
    for (std::uint32_t number = 0; number <= goal; ++number) {
        if (number % Watch::interval == 0) watch.check_cancelled();
        if (marks[number] == 0) continue;
        nodes[number] = builder.add_node(number);
        for (const std::uint32_t at : edges_of(items[number], whole)) {
            const SearchEdge& edge = edges[at];
            features_of(at, features);
            tails.clear();
            for (std::uint32_t tail = 0; tail < edge.tail_count; ++tail) tails.push_back(nodes[edge.tails[tail]]);
            const auto target = parts.target_of(edge, [&] { return target_of(edge, table); });
            builder.add_edge(nodes[number], tails, target, features, edge_payload(edge.origin, edge.begin, edge.end));
            if (EdgeOrigin::is_rule(edge.origin)) parts.add_features(edge.origin);
        }
    }
    return builder.finish(nodes[goal]);
}

}  // namespace pentaglot
