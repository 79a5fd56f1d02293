#pragma once

#include "rules/rule_table.hpp"

namespace pentaglot {

// The rules of one sentence from two corpora in one table; features that a table does not have are 0 for its rules
// (Lopez 2008, §5.2.3.1). A rule that both have is listed twice, each time with the features of its corpus; or, with
// `merge`, once with the features of both: what both tables have (counts excepted, which are added up) is then taken
// from the first.
RuleTable join_tables(const RuleTable& one, const RuleTable& other, bool merge);

}  // namespace pentaglot
