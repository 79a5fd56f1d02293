#include "search/constrained_cubes.hpp"

#include <algorithm>
#include <utility>

namespace pentaglot {

ConstrainedCubes::ConstrainedCubes(const RuleTable& table, const RankedRules& ranked, const TargetAutomaton& automaton,
                                   std::uint32_t most, const SearchGraph& graph, Watch& watch)
    : table_(table),
      ranked_(ranked),
      automaton_(automaton),
      most_(most),
      graph_(graph),
      watch_(watch),
      possible_(table.rules()) {
    for (std::size_t rule = 0; rule < table.rules(); ++rule) {
        if (rule % Watch::interval == 0) watch.check_cancelled();
        possible_[rule] = automaton.possible(table.target(rule)) ? 1 : 0;
    }
}

void ConstrainedCubes::clear() {
    cubes_.clear();
    lists_.clear();
}

void ConstrainedCubes::add(std::uint32_t pattern, std::span<const GapGroups> gaps, float input) {
    if (std::any_of(gaps.begin(), gaps.end(), [](const GapGroups& groups) { return groups.empty(); })) return;
    gaps_ = gaps;
    found_.clear();
    for (const std::uint32_t rule : ranked_.rules(pattern)) {
        if (possible_[rule] == 0) continue;
        if (++steps_ % Watch::interval == 0) watch_.must_stop(graph_.edges.size());
        if (watch_.was_exhausted() && !gaps.empty()) break;  // rules without gaps are quick to try, and glue joins them
        rule_ = rule;
        choice_ = {};
        const auto target = table_.target(rule);
        if (target.empty() || is_tail(target.front())) {
            read(target, Stretch::empty());
        } else {
            for (const std::uint32_t begin : automaton_.places_of(target.front())) read(target, {begin, begin});
        }
    }
    for (auto& [key, rules] : found_) {
        const auto& [choice, stretch] = key;
        Cube cube;
        cube.input = input;
        cube.tail_count = static_cast<std::uint32_t>(gaps.size());
        for (std::size_t gap = 0; gap < gaps.size(); ++gap)
            cube.tails[gap] = gaps[gap][choice[max_gaps - 1 - gap]]->items;
        cube.rules = lists_.emplace_back(std::move(rules));
        cubes_[stretch].push_back(cube);
    }
}

// Reads on in a target side of which a stretch has been said.
void ConstrainedCubes::read(std::span<const Symbol> target, Stretch said) {
    std::size_t at = 0;
    for (; at < target.size() && !is_tail(target[at]); ++at) {
        if (said.is_empty()) break;
        said.end = automaton_.after(said.end, target[at]);
        if (said.end == TargetAutomaton::nowhere) return;
    }
    const auto rest = target.subspan(at);
    if (rest.empty()) {
        auto& rules = found_[{choice_, said}];
        if (most_ == 0 || rules.size() < most_) rules.push_back(rule_);
    } else if (is_tail(rest.front())) {
        fill(rest, said);
    } else {  // nothing but empty gaps so far: now it begins
        for (const std::uint32_t begin : automaton_.places_of(rest.front())) read(rest, {begin, begin});
    }
}

// Tries everything for the gap that comes next. The recursion is at most six gaps deep.
void ConstrainedCubes::fill(std::span<const Symbol> target, Stretch said) {
    const std::size_t gap = tail_of(target.front());
    const GapGroups& groups = gaps_[gap];
    std::uint32_t& chosen = choice_[max_gaps - 1 - gap];
    const auto try_all = [&](auto first, auto last) {
        for (auto at = first; at != last; ++at) {
            if (++steps_ % Watch::interval == 0) watch_.must_stop(graph_.edges.size());
            if (watch_.was_exhausted()) return;
            chosen = static_cast<std::uint32_t>(at - groups.begin());
            const Stretch& filled = (*at)->stretch;
            Stretch now = said;
            if (!filled.is_empty()) now = {said.is_empty() ? filled.begin : said.begin, filled.end};
            read(target.subspan(1), now);
        }
    };
    if (said.is_empty()) {
        try_all(groups.begin(), groups.end());
        return;
    }
    for (const std::uint32_t begin : {said.end, Stretch::anywhere}) {
        const auto fitting =
            std::ranges::equal_range(groups, begin, {}, [](const CellGroup* group) { return group->stretch.begin; });
        try_all(fitting.begin(), fitting.end());
    }
}

}  // namespace pentaglot
