#pragma once

#include <span>

#include "rules/rule_table.hpp"

namespace pentaglot {

// Removes the rules that are not marked, and patterns that lose all of theirs.
void keep_rules(RuleTable& table, std::span<const char> kept);

}  // namespace pentaglot
