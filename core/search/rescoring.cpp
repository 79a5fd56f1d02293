#include "search/rescoring.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "search/feature_set.hpp"
#include "search/rows.hpp"

namespace pentaglot {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr std::array<Symbol, 2> side_by_side{tail_symbol(0), tail_symbol(1)};

SearchModel across_only(const SearchModel& model) {
    SearchModel kept;
    kept.weights = model.weights;
    kept.ngrams = model.ngrams;
    kept.triggers = model.triggers;
    kept.conjoined = model.conjoined;
    return kept;
}

class Rescorer {
  public:
    Rescorer(const Forest& forest, std::span<const double> scores, const SearchModel& model, std::uint32_t pops,
             const SearchLimits& limits)
        : forest_(forest),
          scores_(scores),
          model_(across_only(model)),
          pops_(pops),
          watch_(limits),
          features_(FeatureContext{model_, table_, input_, Hypotheses::parts, watch_}),
          states_(features_.state_size()),
          rows_(features_.row_size()),
          items_of_(forest.nodes()) {
        start_ = rows_.take();
        features_.begin(rows_.at(start_));
        whole_ = rows_.take();
        end_ = rows_.take();
    }

    Forest made() {
        made_.template_offsets = forest_.arrays().template_offsets;
        made_.symbols = forest_.arrays().symbols;
        for (NodeId node = 0; node <= forest_.goal(); ++node) {
            watch_.check_cancelled();
            fill(node);
        }
        if (items_of_[forest_.goal()].empty()) {  // nothing derives the goal: it alone remains
            made_.node_payloads.push_back(forest_.node_payload(forest_.goal()));
            made_.edge_offsets.push_back(made_.templates.size());
        }
        made_.goal = static_cast<NodeId>(made_.node_payloads.size() - 1);
        const Forest all(std::move(made_));
        const std::vector<std::uint8_t> keep(all.edges(), 1);
        return subforest(all, keep).forest;
    }

  private:
    // An edge over some of the items of its tails.
    struct Candidate {
        double score;
        EdgeId edge;
        std::uint32_t row;
        std::array<std::uint32_t, max_gaps> at;  // places among the items of the tails
    };
    static bool lower(const Candidate& one, const Candidate& other) {
        if (one.score != other.score) return one.score < other.score;
        return one.edge != other.edge ? one.edge > other.edge : one.at > other.at;
    }
    struct NewEdge {
        std::uint32_t item;
        EdgeId edge;
        std::array<std::uint32_t, max_gaps> tails;
        std::vector<FeatureValue> features;
    };

    HypothesisStep step(EdgeId edge) const { return {EdgeOrigin::glue, forest_.symbols(edge), {}, {}}; }
    std::uint32_t item(EdgeId edge, const Candidate& candidate, std::size_t tail) const {
        return items_of_[forest_.tails(edge)[tail]][candidate.at[tail]];
    }
    FeatureSet::TailStates states(EdgeId edge, const Candidate& candidate) {
        FeatureSet::TailStates found{};
        for (std::size_t tail = 0; tail < forest_.tails(edge).size(); ++tail)
            found[tail] = states_.at(item(edge, candidate, tail));
        return found;
    }

    void fill(NodeId node) {
        heap_.clear();
        edges_.clear();
        known_.clear();
        const std::size_t first = item_scores_.size();
        for (EdgeId edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge) {
            const auto tails = forest_.tails(edge);
            if (tails.size() > max_gaps)
                throw Error("an edge with " + std::to_string(tails.size()) +
                            " tails cannot be scored again: no search makes one with more than " +
                            std::to_string(max_gaps) + ", as many as a rule may have gaps");
            const bool possible = std::ranges::all_of(tails, [&](NodeId tail) { return !items_of_[tail].empty(); });
            if (scores_[edge] != nothing && possible) push({0, edge, 0, {}});
        }
        for (std::uint32_t popped = 0; !heap_.empty() && popped < pops_; ++popped) {
            std::ranges::pop_heap(heap_, lower);
            const Candidate best = heap_.back();
            heap_.pop_back();
            accept(best, node, first);
            push_successors(best);
            rows_.give_back(best.row);
            if (popped % Watch::interval == 0) watch_.check_cancelled();
        }
        for (const Candidate& left : heap_) rows_.give_back(left.row);
        write(node, first);
    }

    void push(Candidate candidate) {
        double score = scores_[candidate.edge];
        for (std::size_t tail = 0; tail < forest_.tails(candidate.edge).size(); ++tail)
            score += item_scores_[item(candidate.edge, candidate, tail)];
        candidate.row = rows_.take();
        const auto tails = states(candidate.edge, candidate);
        score += double{features_.join(step(candidate.edge), tails, rows_.at(candidate.row), 0)};
        if (forest_.head(candidate.edge) == forest_.goal()) score += double{ends(candidate.row, nullptr)};
        candidate.score = score;
        heap_.push_back(candidate);
        std::ranges::push_heap(heap_, lower);
    }

    // What is added where the translation begins and ends; adds its features to `found`, unless null.
    float ends(std::uint32_t row, std::vector<FeatureValue>* found) {
        const FeatureSet::TailStates parts{rows_.at(start_), rows_.at(row)};
        const HypothesisStep beginning{EdgeOrigin::glue, side_by_side, {}, {}};
        const float score = features_.join(beginning, parts, rows_.at(whole_), 0);
        const FeatureSet::TailStates whole{rows_.at(whole_)};
        if (found != nullptr) {
            features_.add_sparse_values(beginning, parts, false, *found);
            features_.add_sparse_values(HypothesisStep::finishing(0), whole, true, *found);
        }
        return features_.finish(HypothesisStep::finishing(0), whole, rows_.at(end_), score);
    }

    // Every combination has one predecessor: the one with its first non-zero place lowered.
    void push_successors(Candidate candidate) {
        for (std::size_t tail = 0; tail < forest_.tails(candidate.edge).size(); ++tail) {
            if (candidate.at[tail] + std::size_t{1} < items_of_[forest_.tails(candidate.edge)[tail]].size()) {
                ++candidate.at[tail];
                push(candidate);
                --candidate.at[tail];
            }
            if (candidate.at[tail] > 0) break;
        }
    }

    void accept(const Candidate& candidate, NodeId node, std::size_t first) {
        NewEdge made{0, candidate.edge, {}, {}};
        for (std::size_t tail = 0; tail < forest_.tails(candidate.edge).size(); ++tail)
            made.tails[tail] = item(candidate.edge, candidate, tail);
        std::vector<FeatureValue> found;
        features_.add_sparse_values(step(candidate.edge), states(candidate.edge, candidate), false, found);
        const bool last = node == forest_.goal();
        if (last) ends(candidate.row, &found);
        for (const FeatureValue& each : found) {
            const auto add = [&](FeatureId id, float value) { made.features.push_back({id, value}); };
            features_.with_conjoined(each.id, each.value, add);
        }
        // All translations end in one item.
        made.item = last && item_scores_.size() > first ? static_cast<std::uint32_t>(first)
                                                        : item_with(rows_.at(candidate.row), candidate.score);
        edges_.push_back(std::move(made));
    }

    std::uint32_t item_with(const std::byte* state, double score) {
        std::uint64_t key = features_.hash(state);
        for (auto known = known_.find(key); known != known_.end(); known = known_.find(++key)) {
            if (!features_.same(states_.at(known->second), state)) continue;
            item_scores_[known->second] = std::max(item_scores_[known->second], score);
            return known->second;
        }
        const std::uint32_t made = states_.add();
        std::memcpy(states_.at(made), state, features_.state_size());
        item_scores_.push_back(score);
        known_.emplace(key, made);
        return made;
    }

    void write(NodeId node, std::size_t first) {
        std::ranges::stable_sort(edges_, {}, &NewEdge::item);
        auto& items = items_of_[node];
        std::size_t next = 0;
        for (std::size_t number = first; number < item_scores_.size(); ++number) {
            made_.node_payloads.push_back(forest_.node_payload(node));
            for (; next < edges_.size() && edges_[next].item == number; ++next) write(edges_[next]);
            made_.edge_offsets.push_back(made_.templates.size());
            items.push_back(static_cast<std::uint32_t>(number));
        }
        std::ranges::stable_sort(
            items, [&](std::uint32_t one, std::uint32_t other) { return item_scores_[one] > item_scores_[other]; });
    }
    void write(const NewEdge& edge) {
        const auto ids = forest_.feature_ids(edge.edge);
        const auto values = forest_.feature_values(edge.edge);
        for (std::size_t tail = 0; tail < forest_.tails(edge.edge).size(); ++tail)
            made_.tails.push_back(edge.tails[tail]);
        made_.tail_offsets.push_back(made_.tails.size());
        made_.feature_ids.insert(made_.feature_ids.end(), ids.begin(), ids.end());
        made_.feature_values.insert(made_.feature_values.end(), values.begin(), values.end());
        for (const FeatureValue& each : edge.features) {
            made_.feature_ids.push_back(each.id);
            made_.feature_values.push_back(each.value);
        }
        made_.feature_offsets.push_back(made_.feature_ids.size());
        made_.templates.push_back(forest_.arrays().templates[edge.edge]);
        made_.edge_payloads.push_back(forest_.edge_payload(edge.edge));
    }

    const Forest& forest_;
    std::span<const double> scores_;
    SearchModel model_;
    std::uint32_t pops_;
    Watch watch_;
    RuleTable table_;
    Input input_ = Input::sentence(std::array<WordId, 1>{});
    FeatureSet features_;
    Rows states_;                      // of items
    std::vector<double> item_scores_;  // of their best derivations
    RowPool rows_;                     // of candidates
    std::uint32_t start_ = 0, whole_ = 0, end_ = 0;
    std::vector<std::vector<std::uint32_t>> items_of_;  // by node, best first
    std::vector<Candidate> heap_;
    std::vector<NewEdge> edges_;                              // of the node at hand
    std::unordered_map<std::uint64_t, std::uint32_t> known_;  // its items, by their states
    ForestArrays made_;
};

}  // namespace

Forest rescored(const Forest& forest, std::span<const double> scores, const SearchModel& model, std::uint32_t pops,
                const SearchLimits& limits) {
    check_scores(forest, scores);
    if (pops == 0) throw Error("a search must keep at least one hypothesis");
    return Rescorer(forest, scores, model, pops, limits).made();
}

}  // namespace pentaglot
