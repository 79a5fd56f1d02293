#include "rules/placeables.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "rules/kept_rules.hpp"

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

}  // namespace

void keep_placeables(RuleTable& table, PlaceableWords source, PlaceableWords target, FeatureId exempt) {
    check(source);
    check(target);
    const std::vector<float> exempted = table.column(exempt);
    std::vector<char> kept(table.rules(), 1);
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const std::uint64_t wanted = code_of(table.source(pattern), source);
        for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule) {
            if (exempted[rule] != 0 || code_of(table.target(rule), target) == wanted) continue;
            kept[rule] = 0;
        }
    }
    keep_rules(table, kept);
}

}  // namespace pentaglot
