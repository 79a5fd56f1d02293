#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"

namespace pentaglot {

// A word that was looked up in place of a word of the sentence, and the symbol of the latter.
struct Loan {
    Symbol known;
    Symbol own;
};

// Gives words of the sentence the rules of the words that were looked up in their place: on both sides, symbols of the
// latter become those of the former, and the feature `kind` of each rule so changed is 1. The sentence must not have
// the words that were looked up, nor may the table have symbols that rules are lent to. Rules whose feature `exempt` is
// not 0 are for the words that were looked up alone, and removed. Returns the patterns that were changed.
std::vector<std::uint32_t> lend_rules(RuleTable& table, std::span<const Loan> source, std::span<const Loan> target,
                                      FeatureId exempt, FeatureId kind);

}  // namespace pentaglot
