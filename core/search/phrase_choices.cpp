#include "search/phrase_choices.hpp"

#include <map>

namespace pentaglot {

PhraseChoices::PhraseChoices(const RuleTable& table, const PhraseLattice& phrases, const TargetAutomaton* automaton,
                             std::uint32_t most)
    : table_(table), first_(phrases.options().data()), automaton_(automaton), most_(most) {}

std::span<const PhraseChoices::Choice> PhraseChoices::from(const PhraseGroup& options, std::uint32_t place) {
    const auto key = static_cast<std::size_t>(&options - first_) * places() + place;
    const auto known = known_.find(key);
    return known != known_.end() ? known->second : known_.emplace(key, read(options, place)).first->second;
}

std::vector<PhraseChoices::Choice> PhraseChoices::read(const PhraseGroup& options, std::uint32_t place) {
    if (automaton_ == nullptr) return {{0, options.rules}};
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_place;
    for (const std::uint32_t rule : options.rules) {
        const std::uint32_t after = automaton_->after(place, table_.target(rule));
        if (after == TargetAutomaton::nowhere) continue;
        auto& list = by_place[after];
        if (most_ == 0 || list.size() < most_) list.push_back(rule);
    }
    std::vector<Choice> choices;
    for (auto& [after, rules] : by_place) choices.push_back({after, lists_.emplace_back(std::move(rules))});
    return choices;
}

}  // namespace pentaglot
