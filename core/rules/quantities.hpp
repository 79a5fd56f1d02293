#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

enum class QuantityKind : std::uint8_t {
    column,        // a feature; of sparse ones, only the rules that it is given for have it
    always,        // a feature that is 0 wherever it is not given
    sum,           // the sum of two features that are logarithms
    source_count,  // how often the source side occurs in the corpus
    pair_count,    // how often the rule was seen
    source_words,  // the number of words on the source side
    new_words,     // the number of words on the target side that the language model does not know
};

// A number that rules have, or some of them.
struct Quantity {
    static constexpr FeatureId nothing = UINT32_MAX;

    QuantityKind kind = QuantityKind::column;
    FeatureId first = nothing, second = nothing;
    FeatureId found = nothing;  // only rules in which this feature is not 0 have it
    bool collected = false;     // only rules that were collected from text have it, not copies and the like
};

// What quantities look at besides rules.
struct RuleSurroundings {
    std::span<const FeatureId> made;              // features that mark rules that were not collected from text
    std::span<const std::uint8_t> known;          // which target words the language model knows
    std::span<const std::uint8_t> known_further;  // the same for the target words of this sentence alone
};

// The quantities of the rules of a table. Refers to table and surroundings.
class RuleQuantities {
  public:
    RuleQuantities(const RuleTable& table, const RuleSurroundings& surroundings)
        : table_(table), surroundings_(surroundings) {}

    // That of every rule; not a number for rules that do not have it.
    std::vector<float> of(const Quantity& quantity);

  private:
    std::vector<float> of_all(const Quantity& quantity) const;
    void leave_out_made(std::vector<float>& values);

    const RuleTable& table_;
    const RuleSurroundings& surroundings_;
    std::vector<std::uint32_t> made_;  // rules that were not collected from text
    bool knows_made_ = false;
};

}  // namespace pentaglot
