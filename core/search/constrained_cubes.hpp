#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/constraint.hpp"
#include "search/cube.hpp"

namespace pentaglot {

// Items of one cell of the chart that have the same label and, in a constrained search, say the same stretch.
struct CellGroup {
    std::uint32_t label;
    Stretch stretch;
    std::vector<std::uint32_t> items;
};

// Sorts the combinations of rules and groups of items by the stretch of the constraint that they say, so that items
// which say different stretches do not compete.
class ConstrainedCubes {
  public:
    // Of the rules of a pattern that say the same stretch the best `most` are tried (0: all). Nothing is owned.
    ConstrainedCubes(const RuleTable& table, const RankedRules& ranked, const TargetConstraint& constraint,
                     std::uint32_t most);

    const TargetConstraint& constraint() const { return constraint_; }

    void clear();
    // All combinations of a pattern's rules with one group for each gap.
    void add(std::uint32_t pattern, std::span<const std::vector<const CellGroup*>> gaps, float input);
    // What was added since the last clear(); valid until the next.
    const std::map<Stretch, std::vector<Cube>>& cubes() const { return cubes_; }

  private:
    void combine(std::uint32_t pattern, std::span<const CellGroup* const> gaps, float input);

    const RuleTable& table_;
    const RankedRules& ranked_;
    const TargetConstraint& constraint_;
    std::uint32_t most_;
    std::vector<std::uint8_t> possible_;  // by rule
    std::map<Stretch, std::vector<Cube>> cubes_;
    std::deque<std::vector<std::uint32_t>> lists_;  // of rules; the cubes look into them
};

}  // namespace pentaglot
