#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

// The patterns of a table that are one gap and nothing else: they give a part of the input another label.
class UnaryRules {
  public:
    struct Relabelling {
        std::uint32_t pattern;
        std::uint32_t from, to;  // labels
    };

    // Throws Error if some of them form a cycle, which could relabel a part forever.
    explicit UnaryRules(const RuleTable& table);

    bool empty() const { return steps_.empty(); }
    // Sorted by the label they make, so that no label comes before one that it is made from.
    std::span<const Relabelling> steps() const { return steps_; }
    // The place of a label in that order; those that nothing is relabelled to come first.
    std::uint32_t rank(std::uint32_t label) const;

  private:
    std::vector<Relabelling> steps_;
    std::vector<std::uint32_t> made_;  // labels that they make, in order
};

}  // namespace pentaglot
