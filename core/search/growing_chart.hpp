#pragma once

#include "rules/rule_table.hpp"
#include "search/chart_search.hpp"
#include "search/graph.hpp"
#include "search/input.hpp"
#include "search/limits.hpp"
#include "search/model.hpp"

namespace pentaglot {

// The same chart as that of search_chart(), but its items are made by cube growing: from the top, when they are asked
// for. There is no automaton here.
SearchOutcome grow_chart(const Input& input, const RuleTable& table, const SearchModel& model,
                         const ChartOptions& options, const SearchLimits& limits);

}  // namespace pentaglot
