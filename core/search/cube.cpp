#include "search/cube.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pentaglot {

RankedRules::RankedRules(const RuleTable& table, std::span<const double> weights, const FeatureSet& features,
                         std::uint32_t most, const Watch& watch)
    : scores_(table.scores(weights)), estimates_(scores_), offsets_{0} {
    for (std::uint32_t rule = 0; rule < table.rules(); ++rule) {
        if (rule % Watch::interval == 0) watch.check_cancelled();
        estimates_[rule] += features.estimate(rule);
    }
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const std::size_t begin = order_.size();
        for (std::uint32_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule)
            order_.push_back(rule);
        const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin);
        std::sort(first, order_.end(), [&](std::uint32_t one, std::uint32_t other) {
            return estimates_[one] != estimates_[other] ? estimates_[one] > estimates_[other] : one < other;
        });
        if (most > 0) order_.resize(std::min<std::size_t>(order_.size(), begin + most));
        offsets_.push_back(static_cast<std::uint32_t>(order_.size()));
    }
}

CubePruner::CubePruner(const RuleTable& table, const FeatureSet& features, const RankedRules& ranked, float glue_weight,
                       SearchGraph& graph, Watch& watch)
    : table_(table),
      features_(features),
      ranked_(ranked),
      graph_(graph),
      watch_(watch),
      glue_weight_(glue_weight),
      item_states_(features.state_size()),
      rows_(features.row_size()) {}

std::uint32_t CubePruner::add_item(const std::byte* state) {
    std::memcpy(item_states_.at(item_states_.add()), state, features_.state_size());
    return graph_.add_item();
}

std::uint32_t CubePruner::add_start() {
    features_.begin(item_states_.at(item_states_.add()));
    const std::uint32_t item = graph_.add_item();
    graph_.add_start(item);
    return item;
}

std::uint32_t CubePruner::add_goal(std::span<const std::uint32_t> ends, std::uint32_t last_node) {
    item_states_.add();
    const std::uint32_t goal = graph_.add_item();
    std::byte* const row = rows_.at(rows_.take());
    for (const std::uint32_t end : ends) {
        SearchEdge edge = SearchEdge::closing(end, last_node);
        const FeatureSet::TailStates tails{item_states_.at(end)};
        const HypothesisStep step = HypothesisStep::finishing(last_node);
        edge.score = features_.finish(step, tails, row, graph_.items[end].score);
        sparse_.clear();
        features_.add_sparse_values(step, tails, true, sparse_);
        graph_.add_edge(goal, edge, features_.values_of(row), sparse_);
    }
    return goal;
}

bool CubePruner::lower(const Ranked& one, const Ranked& other) const {
    if (one.priority != other.priority) return one.priority < other.priority;
    const Candidate &a = candidates_[one.candidate], &b = candidates_[other.candidate];
    return a.cube != b.cube ? a.cube > b.cube : a.at > b.at;
}

void CubePruner::push(const Ranked& ranked) {
    heap_.push_back(ranked);
    std::push_heap(heap_.begin(), heap_.end(), [this](auto& one, auto& other) { return lower(one, other); });
}

void CubePruner::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), [this](auto& one, auto& other) { return lower(one, other); });
    heap_.pop_back();
}

// The top may not belong there any more: moves it down to its place.
void CubePruner::sink_top() {
    const Ranked sinking = heap_.front();
    std::size_t at = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 2 * at + 1) {
        if (child + 1 < heap_.size() && lower(heap_[child], heap_[child + 1])) ++child;
        if (!lower(sinking, heap_[child])) break;
        heap_[at] = heap_[child];
        at = child;
    }
    heap_[at] = sinking;
}

float CubePruner::score_without_features(const Cube& cube, const Candidate& candidate, bool estimate) const {
    float score = cube.origin == EdgeOrigin::glue ? glue_weight_ : 0;
    if (!cube.rules.empty()) {
        const std::uint32_t rule = cube.rules[candidate.at[0]];
        score = estimate ? ranked_.estimate(rule) : ranked_.score(rule);
    }
    for (std::uint32_t tail = 0; tail < cube.tail_count; ++tail) {
        score += graph_.items[cube.tails[tail][candidate.at[tail + 1]]].score;
    }
    return score;
}

HypothesisStep CubePruner::step(const Cube& cube, const Candidate& candidate) const {
    return HypothesisStep::joining(table_, origin(cube, candidate), {begin_, end_, cube.input});
}

FeatureSet::TailStates CubePruner::tail_states(const Cube& cube, const Candidate& candidate) const {
    FeatureSet::TailStates states;
    for (std::uint32_t tail = 0; tail < cube.tail_count; ++tail)
        states[tail] = item_states_.at(cube.tails[tail][candidate.at[tail + 1]]);
    return states;
}

void CubePruner::add(const Cube& cube, const Candidate& candidate) {
    auto place = static_cast<std::uint32_t>(candidates_.size());
    if (free_candidates_.empty()) {
        candidates_.push_back(candidate);
    } else {
        place = free_candidates_.back();
        free_candidates_.pop_back();
        candidates_[place] = candidate;
    }
    float guess = score_without_features(cube, candidate, true);
    if (features_.foresees()) guess = features_.foresee(step(cube, candidate), tail_states(cube, candidate), guess);
    candidates_[place].row = unscored;
    push({guess, place});
}

// Every combination has exactly one predecessor: the one with its first non-zero place lowered. So none is added
// twice.
void CubePruner::add_successors(const Cube& cube, Candidate candidate) {
    for (std::uint32_t place = 0; place <= cube.tail_count; ++place) {
        const std::size_t size = place > 0 ? cube.tails[place - 1].size() : std::max<std::size_t>(1, cube.rules.size());
        if (candidate.at[place] + std::size_t{1} < size) {
            ++candidate.at[place];
            add(cube, candidate);
            --candidate.at[place];
        }
        if (candidate.at[place] > 0) break;
    }
}

void CubePruner::ask_features(const Cube& cube, Candidate& candidate) {
    candidate.row = rows_.take();
    candidate.score = features_.join(step(cube, candidate), tail_states(cube, candidate), rows_.at(candidate.row),
                                     score_without_features(cube, candidate, false));
}

std::uint32_t CubePruner::item_with(const std::byte* state, std::vector<std::uint32_t>& made) {
    const auto place = [&](const std::byte* wanted) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = features_.hash(wanted) & mask;
        while (slots_[at] != SearchEdge::none && !features_.same(item_states_.at(slots_[at]), wanted))
            at = (at + 1) & mask;
        return at;
    };
    if (2 * (made.size() + 1) > slots_.size()) {
        slots_.assign(std::bit_ceil(4 * (made.size() + 16)), SearchEdge::none);
        for (const std::uint32_t known : made) slots_[place(item_states_.at(known))] = known;
    }
    std::uint32_t& slot = slots_[place(state)];
    if (slot == SearchEdge::none) {
        slot = add_item(state);
        made.push_back(slot);
    }
    return slot;
}

void CubePruner::accept(const Cube& cube, const Candidate& candidate, std::vector<std::uint32_t>& made) {
    SearchEdge edge;
    edge.origin = origin(cube, candidate);
    edge.begin = begin_;
    edge.end = end_;
    edge.score = candidate.score;
    edge.tail_count = cube.tail_count;
    for (std::uint32_t tail = 0; tail < cube.tail_count; ++tail)
        edge.tails[tail] = cube.tails[tail][candidate.at[tail + 1]];
    if (features_.has_sparse_values()) {
        sparse_.clear();
        features_.add_sparse_values(step(cube, candidate), tail_states(cube, candidate), false, sparse_);
    }
    const std::byte* const row = rows_.at(candidate.row);
    graph_.add_edge(item_with(row, made), edge, features_.values_of(row), sparse_);
    rows_.give_back(candidate.row);
}

std::vector<std::uint32_t> CubePruner::fill(std::span<const Cube> cubes, std::uint32_t pops, std::uint32_t begin,
                                            std::uint32_t end) {
    begin_ = begin;
    end_ = end;
    heap_.clear();
    candidates_.clear();
    free_candidates_.clear();
    slots_.clear();
    std::vector<std::uint32_t> made;
    for (std::uint32_t cube = 0; cube < cubes.size(); ++cube) add(cubes[cube], {0, cube, unscored, {}});
    for (std::uint32_t popped = 0; !heap_.empty() && popped < pops;) {
        const std::uint32_t place = heap_.front().candidate;
        const Cube& cube = cubes[candidates_[place].cube];
        if (candidates_[place].row == unscored) {
            ask_features(cube, candidates_[place]);
            heap_.front().priority = candidates_[place].score;
            sink_top();
            add_successors(cube, candidates_[place]);
            if (heap_.front().candidate != place) continue;
        }
        pop();
        ++popped;
        accept(cube, candidates_[place], made);
        free_candidates_.push_back(place);
        if (popped % Watch::interval == 0 && watch_.must_stop(graph_.edges.size())) break;
    }
    for (const Ranked& left : heap_) {
        if (candidates_[left.candidate].row != unscored) rows_.give_back(candidates_[left.candidate].row);
    }
    std::sort(made.begin(), made.end(), [&](std::uint32_t one, std::uint32_t other) {
        const float a = graph_.items[one].score, b = graph_.items[other].score;
        return a != b ? a > b : one < other;
    });
    return made;
}

}  // namespace pentaglot
