#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "rules/extract.hpp"
#include "rules/rule_table.hpp"
#include "search/chart_match.hpp"
#include "search/cube.hpp"
#include "search/limits.hpp"
#include "search/target_automaton.hpp"

namespace pentaglot {

// Items of one cell of the chart that are analysed alike and, in a constrained search, say the same stretch.
struct CellGroup {
    Analysis analysis;
    Stretch stretch;
    std::vector<std::uint32_t> items;
};

// The groups that may fill a gap, in the order of their stretches; those that say nothing come last.
using GapGroups = std::vector<const CellGroup*>;

// Sorts the combinations of rules and groups of items by the stretch of an automaton that they say, so that items
// which say different stretches do not compete.
class ConstrainedCubes {
  public:
    // Of the rules of a pattern that say the same stretch the best `most` are tried (0: all). Nothing is owned.
    ConstrainedCubes(const RuleTable& table, const RankedRules& ranked, const TargetAutomaton& automaton,
                     std::uint32_t most, const SearchGraph& graph, Watch& watch);

    const TargetAutomaton& automaton() const { return automaton_; }

    void clear();
    // Adds all combinations of a pattern's rules with one group for each gap that say a stretch; when a limit is met,
    // only those found until then.
    void add(std::uint32_t pattern, std::span<const GapGroups> gaps, float input);
    // What was added since the last clear(); valid until the next.
    const std::map<Stretch, std::vector<Cube>>& cubes() const { return cubes_; }

  private:
    // Which group fills each gap, the last gap first: cubes come in this order.
    using Choice = std::array<std::uint32_t, max_gaps>;

    void read(std::span<const Symbol> target, Stretch said);
    void fill(std::span<const Symbol> target, Stretch said);

    const RuleTable& table_;
    const RankedRules& ranked_;
    const TargetAutomaton& automaton_;
    std::uint32_t most_;
    const SearchGraph& graph_;
    Watch& watch_;
    std::vector<std::uint8_t> possible_;  // by rule
    std::map<Stretch, std::vector<Cube>> cubes_;
    std::deque<std::vector<std::uint32_t>> lists_;  // of rules; the cubes refer to them
    // Of the pattern at hand.
    std::span<const GapGroups> gaps_;
    std::map<std::pair<Choice, Stretch>, std::vector<std::uint32_t>> found_;
    std::uint32_t rule_ = 0;
    Choice choice_{};
    std::uint32_t steps_ = 0;
};

}  // namespace pentaglot
