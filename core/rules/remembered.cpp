#include "rules/remembered.hpp"

#include <algorithm>
#include <utility>

namespace pentaglot {

namespace {

// The pattern and the number of the rule, if the table has it.
std::pair<std::size_t, std::size_t> known_rule(const RuleTable& table, std::span<const Symbol> source,
                                               std::span<const Symbol> target) {
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        // One with a label or a condition is another rule.
        if (table.left_labels[pattern] != 0 || table.has_signature[pattern] != 0 || !table.places_of(pattern).empty() ||
            !std::ranges::equal(table.source(pattern), source))
            continue;
        for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule) {
            if (std::ranges::equal(table.target(rule), target)) return {pattern, rule};
        }
    }
    return {table.patterns(), table.rules()};
}

}  // namespace

void remember(RuleTable& table, std::span<const Symbol> source, std::span<const Symbol> target,
              std::span<const RuleLink> links, float count, Sighting where, const RememberedFeatures& features) {
    const auto both = static_cast<float>(source.size() + target.size());
    const auto [pattern, rule] = known_rule(table, source, target);
    if (rule == table.rules()) {
        table.add_pattern(source, 1, 1, 1);
        table.add_rule(target, links, count, std::span(&where, 1));
        table.column(features.rules)[rule] = 1;
        table.column(features.words)[rule] = static_cast<float>(target.size());
    }
    table.any_length[pattern] = 1;
    table.column(features.remembered)[rule] = both;
}

}  // namespace pentaglot
