#include "rules/lent_rules.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "rules/kept_rules.hpp"

namespace pentaglot {

namespace {

std::unordered_map<Symbol, Symbol> by_known(std::span<const Loan> loans) {
    std::unordered_map<Symbol, Symbol> found;
    for (const Loan& loan : loans) {
        if (loan.known < 0 || loan.own < 0 || !found.emplace(loan.known, loan.own).second)
            throw Error("a word is looked up for one word of the sentence at most");
    }
    return found;
}

void rename(std::vector<Symbol>& symbols, const std::unordered_map<Symbol, Symbol>& names) {
    for (Symbol& symbol : symbols) {
        if (const auto found = names.find(symbol); found != names.end()) symbol = found->second;
    }
}

}  // namespace

std::vector<std::uint32_t> lend_rules(RuleTable& table, std::span<const Loan> source, std::span<const Loan> target,
                                      FeatureId exempt, FeatureId kind) {
    const auto sources = by_known(source), targets = by_known(target);
    const auto lent = [&](std::size_t pattern) {
        return std::ranges::any_of(table.source(pattern), [&](Symbol symbol) { return sources.contains(symbol); });
    };
    const std::vector<float> exempted = table.values_of(exempt);
    std::vector<char> kept(table.rules(), 1);
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        if (!lent(pattern)) continue;
        for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule)
            kept[rule] = exempted[rule] == 0 ? 1 : 0;
    }
    keep_rules(table, kept);
    std::vector<std::uint32_t> changed;
    auto& kinds = table.column(kind);
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        if (!lent(pattern)) continue;
        changed.push_back(static_cast<std::uint32_t>(pattern));
        std::fill(kinds.begin() + table.rule_offsets[pattern], kinds.begin() + table.rule_offsets[pattern + 1], 1.0F);
    }
    rename(table.source_symbols, sources);
    rename(table.target_symbols, targets);
    return changed;
}

}  // namespace pentaglot
