#include "search/constrained_cubes.hpp"

#include <utility>

namespace pentaglot {

ConstrainedCubes::ConstrainedCubes(const RuleTable& table, const RankedRules& ranked,
                                   const TargetConstraint& constraint, std::uint32_t most)
    : table_(table), ranked_(ranked), constraint_(constraint), most_(most), possible_(table.rules()) {
    for (std::size_t rule = 0; rule < table.rules(); ++rule)
        possible_[rule] = constraint.possible(table.target(rule)) ? 1 : 0;
}

void ConstrainedCubes::clear() {
    cubes_.clear();
    lists_.clear();
}

void ConstrainedCubes::add(std::uint32_t pattern, std::span<const std::vector<const CellGroup*>> gaps, float input) {
    std::vector<std::size_t> at(gaps.size(), 0);
    std::vector<const CellGroup*> chosen(gaps.size());
    for (const auto& groups : gaps) {
        if (groups.empty()) return;
    }
    for (;;) {
        for (std::size_t gap = 0; gap < gaps.size(); ++gap) chosen[gap] = gaps[gap][at[gap]];
        combine(pattern, chosen, input);
        std::size_t gap = 0;
        while (gap < gaps.size() && ++at[gap] == gaps[gap].size()) at[gap++] = 0;
        if (gap == gaps.size()) return;
    }
}

void ConstrainedCubes::combine(std::uint32_t pattern, std::span<const CellGroup* const> gaps, float input) {
    Cube cube;
    cube.input = input;
    std::vector<Stretch> filled, found;
    for (const CellGroup* gap : gaps) {
        cube.tails[cube.tail_count++] = gap->items;
        filled.push_back(gap->stretch);
    }
    std::map<Stretch, std::vector<std::uint32_t>> rules;
    for (const std::uint32_t rule : ranked_.rules(pattern)) {
        if (possible_[rule] == 0) continue;
        constraint_.stretches(table_.target(rule), filled, found);
        for (const Stretch& stretch : found) {
            auto& list = rules[stretch];
            if (most_ == 0 || list.size() < most_) list.push_back(rule);
        }
    }
    for (auto& [stretch, list] : rules) {
        cube.rules = lists_.emplace_back(std::move(list));
        cubes_[stretch].push_back(cube);
    }
}

}  // namespace pentaglot
