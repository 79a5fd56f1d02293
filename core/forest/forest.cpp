#include "forest/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace pentaglot {
namespace {

void check_offsets(const std::vector<std::uint64_t>& offsets, std::size_t count, std::size_t total, const char* what) {
    bool good = offsets.size() == count + 1 && offsets.front() == 0 && offsets.back() == total;
    good = good && std::is_sorted(offsets.begin(), offsets.end());
    if (!good) throw Error(std::string("the ") + what + " offsets of the forest are inconsistent");
}

// How many tails each template needs.
std::vector<std::size_t> template_arities(const ForestArrays& a) {
    std::vector<std::size_t> arities(a.template_offsets.size() - 1, 0);
    std::vector<Symbol> named;
    for (std::size_t t = 0; t + 1 < a.template_offsets.size(); ++t) {
        named.clear();
        for (auto i = a.template_offsets[t]; i < a.template_offsets[t + 1]; ++i) {
            if (!is_tail(a.symbols[i])) continue;
            named.push_back(a.symbols[i]);
            arities[t] = std::max(arities[t], tail_of(a.symbols[i]) + 1);
        }
        std::sort(named.begin(), named.end());
        if (std::adjacent_find(named.begin(), named.end()) != named.end()) {
            throw Error("template " + std::to_string(t) + " of the forest names a tail twice");
        }
    }
    return arities;
}

void check_sizes(const ForestArrays& a) {
    constexpr std::size_t limit = std::numeric_limits<std::uint32_t>::max();
    const std::size_t nodes = a.node_payloads.size();
    const std::size_t edges = a.templates.size();
    if (nodes == 0) throw Error("the forest has no nodes");
    if (nodes >= limit || edges >= limit) throw Error("the forest has too many nodes or edges");
    if (a.goal >= nodes) throw Error("the goal of the forest is not one of its nodes");
    if (a.edge_payloads.size() != edges || a.feature_values.size() != a.feature_ids.size()) {
        throw Error("the arrays of the forest have different lengths");
    }
    check_offsets(a.edge_offsets, nodes, edges, "edge");
    check_offsets(a.tail_offsets, edges, a.tails.size(), "tail");
    check_offsets(a.feature_offsets, edges, a.feature_ids.size(), "feature");
    if (a.template_offsets.empty()) throw Error("the template offsets of the forest are inconsistent");
    check_offsets(a.template_offsets, a.template_offsets.size() - 1, a.symbols.size(), "template");
}

}  // namespace

Forest::Forest(ForestArrays arrays) : a_(std::move(arrays)) {
    check_sizes(a_);
    const auto arities = template_arities(a_);
    heads_.resize(edges());
    for (NodeId node = 0; node < nodes(); ++node) {
        for (EdgeId edge = first_edge(node); edge < last_edge(node); ++edge) {
            const auto name = [&] { return "edge " + std::to_string(edge) + " of the forest "; };
            heads_[edge] = node;
            for (const NodeId tail : tails(edge)) {
                if (tail >= node) throw Error(name() + "has a tail that does not come before its head");
            }
            if (a_.templates[edge] >= arities.size()) throw Error(name() + "has a template that does not exist");
            if (arities[a_.templates[edge]] > tails(edge).size()) {
                throw Error(name() + "has a template that names a tail it lacks");
            }
        }
    }
    for (const FeatureId id : a_.feature_ids) feature_count_ = std::max(feature_count_, std::size_t{id} + 1);
    for (const float value : a_.feature_values) {
        if (!std::isfinite(value)) throw Error("the forest has a feature value that is not finite");
    }
}

std::vector<double> Forest::scores(std::span<const double> weights) const {
    std::vector<double> scores(edges(), 0.0);
    for (EdgeId edge = 0; edge < edges(); ++edge) {
        const auto ids = feature_ids(edge);
        const auto values = feature_values(edge);
        double sum = 0.0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (ids[i] < weights.size()) sum += weights[ids[i]] * static_cast<double>(values[i]);
        }
        scores[edge] = sum;
    }
    return scores;
}

void check_scores(const Forest& forest, std::span<const double> scores) {
    if (scores.size() != forest.edges()) {
        throw Error("there are " + std::to_string(scores.size()) + " scores for " + std::to_string(forest.edges()) +
                    " edges");
    }
    for (std::size_t edge = 0; edge < scores.size(); ++edge) {
        const bool good = std::abs(scores[edge]) <= largest_score || scores[edge] == -HUGE_VAL;
        if (!good) throw Error("the score of edge " + std::to_string(edge) + " is not a usable number");
    }
}

namespace {

struct Needed {
    std::vector<std::uint8_t> nodes;
    std::vector<std::uint8_t> edges;
};

// Upwards: what can be derived; downwards: what the goal needs of it.
Needed needed_parts(const Forest& forest, std::span<const std::uint8_t> keep) {
    Needed found{std::vector<std::uint8_t>(forest.nodes(), 0), std::vector<std::uint8_t>(forest.edges(), 0)};
    std::vector<std::uint8_t> derivable(forest.nodes(), 0);
    for (EdgeId edge = 0; edge < forest.edges(); ++edge) {
        const auto tails = forest.tails(edge);
        if (keep[edge] == 0) continue;
        if (!std::all_of(tails.begin(), tails.end(), [&](NodeId tail) { return derivable[tail] != 0; })) continue;
        found.edges[edge] = 1;
        derivable[forest.head(edge)] = 1;
    }
    found.nodes[forest.goal()] = 1;
    for (std::size_t i = forest.edges(); i-- > 0;) {
        const auto edge = static_cast<EdgeId>(i);
        found.edges[edge] = found.edges[edge] & found.nodes[forest.head(edge)];
        if (found.edges[edge] == 0) continue;
        for (const NodeId tail : forest.tails(edge)) found.nodes[tail] = 1;
    }
    return found;
}

void copy_template(const Forest& forest, EdgeId edge, std::vector<TemplateId>& renamed, ForestArrays& to) {
    constexpr TemplateId unseen = std::numeric_limits<TemplateId>::max();
    TemplateId& name = renamed[forest.arrays().templates[edge]];
    if (name == unseen) {
        name = static_cast<TemplateId>(to.template_offsets.size() - 1);
        const auto symbols = forest.symbols(edge);
        to.symbols.insert(to.symbols.end(), symbols.begin(), symbols.end());
        to.template_offsets.push_back(to.symbols.size());
    }
    to.templates.push_back(name);
}

}  // namespace

bool is_trim(const Forest& forest) {
    const auto all = [](const std::vector<std::uint8_t>& marks) { return std::ranges::find(marks, 0) == marks.end(); };
    const Needed needed = needed_parts(forest, std::vector<std::uint8_t>(forest.edges(), 1));
    if (!all(needed.nodes) || !all(needed.edges)) return false;
    TemplateId next = 0;  // templates are numbered in the order in which edges first need them
    for (const TemplateId each : forest.arrays().templates) {
        if (each > next) return false;
        next += each == next ? 1 : 0;
    }
    return next == forest.templates();
}

Subforest subforest(const Forest& forest, std::span<const std::uint8_t> keep) {
    if (keep.size() != forest.edges())
        throw Error("every edge of the forest needs a mark that says whether it is kept");
    const Needed needed = needed_parts(forest, keep);
    ForestArrays to;
    std::vector<EdgeId> kept;
    std::vector<NodeId> new_node(forest.nodes(), 0);
    std::vector<TemplateId> renamed(forest.templates(), std::numeric_limits<TemplateId>::max());
    for (NodeId node = 0; node < forest.nodes(); ++node) {
        if (needed.nodes[node] == 0) continue;
        new_node[node] = static_cast<NodeId>(to.node_payloads.size());
        to.node_payloads.push_back(forest.node_payload(node));
        for (EdgeId edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
            if (needed.edges[edge] == 0) continue;
            kept.push_back(edge);
            for (const NodeId tail : forest.tails(edge)) to.tails.push_back(new_node[tail]);
            to.tail_offsets.push_back(to.tails.size());
            const auto ids = forest.feature_ids(edge);
            const auto values = forest.feature_values(edge);
            to.feature_ids.insert(to.feature_ids.end(), ids.begin(), ids.end());
            to.feature_values.insert(to.feature_values.end(), values.begin(), values.end());
            to.feature_offsets.push_back(to.feature_ids.size());
            copy_template(forest, edge, renamed, to);
            to.edge_payloads.push_back(forest.edge_payload(edge));
        }
        to.edge_offsets.push_back(to.templates.size());
    }
    to.goal = new_node[forest.goal()];
    return {Forest(std::move(to)), std::move(kept)};
}

}  // namespace pentaglot
