#include "rules/copies.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"

namespace pentaglot {

void add_copies(RuleTable& table, std::span<const WordId> sentence, std::span<const WordId> copies,
                std::span<const std::uint8_t> always, const CopyFeatures& features) {
    if (copies.size() != sentence.size() || always.size() != sentence.size()) throw Error("every word needs its copy");
    const auto no_symbol = [](WordId id) { return id > INT32_MAX && id != no_copy; };
    if (std::ranges::any_of(copies, no_symbol) ||
        std::ranges::any_of(sentence, [](WordId id) { return id > INT32_MAX; }))
        throw Error("a word to be copied has an invalid id");
    std::unordered_map<WordId, std::size_t> own;  // word -> its pattern of one symbol
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        const auto source = table.source(pattern);
        // A rule for one place of the sentence does not help the same word elsewhere.
        const bool anywhere = table.places_of(pattern).empty();
        if (source.size() == 1 && !is_tail(source[0]) && anywhere) own.emplace(static_cast<WordId>(source[0]), pattern);
    }
    for (const FeatureId id : {features.unknown, features.copied, features.rules, features.words}) table.column(id);
    std::unordered_map<WordId, bool> done;
    for (std::size_t at = 0; at < sentence.size(); ++at) {
        const auto known = own.find(sentence[at]);
        const bool unknown = known == own.end();
        if ((!unknown && always[at] == 0) || !done.emplace(sentence[at], true).second) continue;
        std::vector<Symbol> target;
        if (copies[at] != no_copy) target.push_back(static_cast<Symbol>(copies[at]));
        if (!unknown) {
            bool there = false;
            for (std::size_t rule = table.rule_offsets[known->second]; rule < table.rule_offsets[known->second + 1];
                 ++rule) {
                there = there || std::ranges::equal(table.target(rule), target);
            }
            if (there) continue;
        }
        const auto symbol = static_cast<Symbol>(sentence[at]);
        const RuleLink link{0, 0};
        table.add_pattern(std::span(&symbol, 1), 0, 0, 0);
        table.add_rule(target, std::span(&link, target.size()), 0, {});
        const std::size_t rule = table.rules() - 1;
        table.column(unknown ? features.unknown : features.copied)[rule] = 1;
        table.column(features.rules)[rule] = 1;
        table.column(features.words)[rule] = static_cast<float>(target.size());
    }
}

}  // namespace pentaglot
