#include "rules/kept_rules.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace pentaglot {

namespace {

// Copies patterns and rules from one table to the other, all their columns included.
class Copier {
  public:
    Copier(const RuleTable& from, RuleTable& to) : from_(from), to_(to) {
        to.feature_ids = from.feature_ids;
        to.features.resize(from.features.size());
    }

    void pattern(std::size_t number) {
        to_.add_pattern(from_.source(number), from_.occurrences[number], from_.attempts[number],
                        from_.successes[number], from_.traits(number));
    }

    void rule(std::size_t number) {
        const auto seen = std::span(from_.sightings)
                              .subspan(from_.sighting_offsets[number],
                                       from_.sighting_offsets[number + 1] - from_.sighting_offsets[number]);
        to_.add_rule(from_.target(number), from_.links_of(number), from_.counts[number], seen);
        for (std::size_t column = 0; column < from_.features.size(); ++column) {
            to_.features[column].back() = from_.features[column][number];
        }
        to_.sparse.add_row_of(from_.sparse, number);
        if (!from_.reordering.empty()) {
            to_.reordering.resize(to_.rules());
            to_.reordering.back() = from_.reordering[number];
        }
    }

  private:
    const RuleTable& from_;
    RuleTable& to_;
};

}  // namespace

void keep_rules(RuleTable& table, std::span<const char> kept) {
    if (kept.size() != table.rules()) throw Error("every rule is kept or not");
    if (std::ranges::all_of(kept, [](char each) { return each != 0; })) return;
    RuleTable left;
    Copier copier(table, left);
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const std::size_t begin = table.rule_offsets[pattern], end = table.rule_offsets[pattern + 1];
        const auto own = kept.subspan(begin, end - begin);
        if (std::ranges::none_of(own, [](char each) { return each != 0; })) continue;
        copier.pattern(pattern);
        for (std::size_t rule = begin; rule < end; ++rule) {
            if (kept[rule] != 0) copier.rule(rule);
        }
    }
    table = std::move(left);
}

}  // namespace pentaglot
