#include "rules/placeables.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace pentaglot {

namespace {

void check(PlaceableWords words) {
    if (words.symbols.size() != words.codes.size()) throw Error("every placeable needs its code");
    if (!std::is_sorted(words.symbols.begin(), words.symbols.end())) throw Error("placeables must be in order");
}

std::uint64_t code_of(std::span<const Symbol> side, PlaceableWords words) {
    std::uint64_t sum = 0;
    for (const Symbol symbol : side) {
        const auto found = std::lower_bound(words.symbols.begin(), words.symbols.end(), symbol);
        if (found != words.symbols.end() && *found == symbol)
            sum += words.codes[static_cast<std::size_t>(found - words.symbols.begin())];
    }
    return sum;
}

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

void keep_placeables(RuleTable& table, PlaceableWords source, PlaceableWords target, FeatureId exempt) {
    check(source);
    check(target);
    const std::vector<float> exempted = table.column(exempt);
    std::vector<char> kept(table.rules(), 1);
    bool all = true;
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const std::uint64_t wanted = code_of(table.source(pattern), source);
        for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule) {
            if (exempted[rule] != 0 || code_of(table.target(rule), target) == wanted) continue;
            kept[rule] = 0;
            all = false;
        }
    }
    if (all) return;
    RuleTable left;
    Copier copier(table, left);
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const std::size_t begin = table.rule_offsets[pattern], end = table.rule_offsets[pattern + 1];
        if (std::none_of(kept.begin() + static_cast<std::ptrdiff_t>(begin),
                         kept.begin() + static_cast<std::ptrdiff_t>(end), [](char each) { return each != 0; })) {
            continue;
        }
        copier.pattern(pattern);
        for (std::size_t rule = begin; rule < end; ++rule) {
            if (kept[rule] != 0) copier.rule(rule);
        }
    }
    table = std::move(left);
}

}  // namespace pentaglot
