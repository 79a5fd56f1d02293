#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/input.hpp"

namespace pentaglot {

// Whether a pattern whose symbols match the input fits there: it must be at its places, if it has any, and the input
// must have its signature.
class PatternConditions {
  public:
    using Span = std::pair<std::uint32_t, std::uint32_t>;

    // Throws Error if a pattern has a place that is not in the input, or places although the input is a lattice, or a
    // signature although the input has no edges. Nothing is owned.
    PatternConditions(const Input& input, const RuleTable& table);

    // Whether there are any conditions at all.
    bool any() const { return any_; }
    // From now on, hold() is about patterns between these nodes, with these gaps.
    void look_at(std::uint32_t from, std::uint32_t to, std::span<const Span> gaps);
    bool hold(std::uint32_t pattern);
    // The same for a pattern whose words are not adjacent; the words are compared too.
    bool hold_apart(std::uint32_t pattern);

  private:
    bool same_signature(std::uint32_t pattern);

    const Input& input_;
    const RuleTable& table_;
    bool any_;
    std::uint32_t from_ = 0;
    bool known_ = false;  // the signature of what is looked at
    std::vector<std::uint16_t> symbols_;
    std::vector<SymbolEdge> signature_;
};

}  // namespace pentaglot
