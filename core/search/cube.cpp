#include "search/cube.hpp"

#include <algorithm>
#include <bit>

#include "search/chart_language.hpp"

namespace pentaglot {

RankedRules::RankedRules(const RuleTable& table, const SearchModel& model, std::uint32_t most, const Watch& watch)
    : scores_(table.scores(model.weights)), estimates_(scores_), offsets_{0} {
    const float weight = model.language_weight();
    if (model.language != nullptr) {
        std::vector<WordId> run;
        for (std::size_t rule = 0; rule < table.rules(); ++rule) {
            if (rule % Watch::interval == 0) watch.check_cancelled();
            float guess = 0;
            run.clear();
            for (const Symbol symbol : table.target(rule)) {
                if (!is_tail(symbol)) {
                    run.push_back(model.language_id(symbol));
                } else if (!run.empty()) {
                    guess += model.language->score_without_context(run);
                    run.clear();
                }
            }
            if (!run.empty()) guess += model.language->score_without_context(run);
            estimates_[rule] += weight * guess;
        }
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

CubePruner::CubePruner(const RuleTable& table, const SearchModel& model, const RankedRules& ranked, SearchGraph& graph,
                       Watch& watch)
    : table_(table),
      model_(model),
      ranked_(ranked),
      graph_(graph),
      watch_(watch),
      language_weight_(model.language_weight()),
      glue_weight_(static_cast<float>(model.weight(model.glue_feature))),
      input_weight_(static_cast<float>(model.weight(model.input_feature))) {}

std::uint32_t CubePruner::add_item(const lm::ChartState& state) {
    item_states_.push_back(state);
    return graph_.add_item();
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

CubePruner::Ranked CubePruner::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), [this](auto& one, auto& other) { return lower(one, other); });
    const Ranked best = heap_.back();
    heap_.pop_back();
    return best;
}

float CubePruner::score_without_language(const Cube& cube, const Candidate& candidate, bool estimate) const {
    float score = glue_weight_;
    if (!cube.rules.empty()) {
        const std::uint32_t rule = cube.rules[candidate.at[0]];
        score = estimate ? ranked_.estimate(rule) : ranked_.score(rule);
    }
    for (std::uint32_t tail = 0; tail < cube.tail_count; ++tail) {
        score += graph_.items[cube.tails[tail][candidate.at[tail + 1]]].score;
    }
    if (cube.input != 0) score += input_weight_ * cube.input;
    return score;
}

void CubePruner::add(const Cube& cube, Candidate candidate) {
    candidate.priority = score_without_language(cube, candidate, true);
    candidate.state = unscored;
    auto place = static_cast<std::uint32_t>(candidates_.size());
    if (free_candidates_.empty()) {
        candidates_.push_back(candidate);
    } else {
        place = free_candidates_.back();
        free_candidates_.pop_back();
        candidates_[place] = candidate;
    }
    push({candidate.priority, place});
}

// Every combination has exactly one predecessor: the one with its first non-zero place lowered. So none is added
// twice.
void CubePruner::add_successors(const Cube& cube, const Candidate& candidate) {
    for (std::uint32_t place = 0; place <= cube.tail_count; ++place) {
        const std::size_t size = place > 0 ? cube.tails[place - 1].size() : std::max<std::size_t>(1, cube.rules.size());
        if (candidate.at[place] + std::size_t{1} < size) {
            Candidate next = candidate;
            ++next.at[place];
            add(cube, next);
        }
        if (candidate.at[place] > 0) break;
    }
}

void CubePruner::ask_language_model(const Cube& cube, Candidate& candidate) {
    if (free_states_.empty()) {
        free_states_.push_back(static_cast<std::uint32_t>(states_.size()));
        states_.emplace_back();
    }
    candidate.state = free_states_.back();
    free_states_.pop_back();
    const auto state_of = [&](std::uint32_t tail) -> const lm::ChartState& {
        return item_states_[cube.tails[tail][candidate.at[tail + 1]]];
    };
    lm::ChartState& state = states_[candidate.state];
    state = {};
    candidate.language = score_joined(model_, table_, origin(cube, candidate), cube.tail_count, state_of, state);
    candidate.priority = score_without_language(cube, candidate, false) + language_weight_ * candidate.language;
}

std::uint32_t CubePruner::item_with(const lm::ChartState& state, std::vector<std::uint32_t>& made) {
    const auto place = [&](const lm::ChartState& wanted) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = wanted.hash() & mask;
        while (slots_[at] != SearchEdge::none && !(item_states_[slots_[at]] == wanted)) at = (at + 1) & mask;
        return at;
    };
    if (2 * (made.size() + 1) > slots_.size()) {
        slots_.assign(std::bit_ceil(4 * (made.size() + 16)), SearchEdge::none);
        for (const std::uint32_t known : made) slots_[place(item_states_[known])] = known;
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
    edge.input = cube.input;
    edge.language = candidate.language;
    edge.score = candidate.priority;
    edge.tail_count = cube.tail_count;
    for (std::uint32_t tail = 0; tail < cube.tail_count; ++tail)
        edge.tails[tail] = cube.tails[tail][candidate.at[tail + 1]];
    graph_.add_edge(item_with(states_[candidate.state], made), edge);
    free_states_.push_back(candidate.state);
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
    for (std::uint32_t cube = 0; cube < cubes.size(); ++cube) add(cubes[cube], {0, cube, unscored, 0, {}});
    for (std::uint32_t popped = 0; !heap_.empty() && popped < pops;) {
        const std::uint32_t place = pop().candidate;
        Candidate best = candidates_[place];
        const Cube& cube = cubes[best.cube];
        if (best.state == unscored) {
            add_successors(cube, best);
            ask_language_model(cube, best);
            candidates_[place] = best;
            const Ranked ranked{best.priority, place};
            if (!heap_.empty() && lower(ranked, heap_.front())) {
                push(ranked);
                continue;
            }
        }
        ++popped;
        accept(cube, best, made);
        free_candidates_.push_back(place);
        if (popped % Watch::interval == 0 && watch_.must_stop(graph_.edges.size())) break;
    }
    for (const Ranked& left : heap_) {
        const std::uint32_t state = candidates_[left.candidate].state;
        if (state != unscored) free_states_.push_back(state);
    }
    std::sort(made.begin(), made.end(), [&](std::uint32_t one, std::uint32_t other) {
        const float a = graph_.items[one].score, b = graph_.items[other].score;
        return a != b ? a > b : one < other;
    });
    return made;
}

}  // namespace pentaglot
