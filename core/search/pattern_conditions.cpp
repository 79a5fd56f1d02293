#include "search/pattern_conditions.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace pentaglot {

PatternConditions::PatternConditions(const Input& input, const RuleTable& table)
    : input_(input), table_(table), any_(!table.signature_offsets.empty() || !table.places.empty()) {
    if (!any_) return;
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        if (table.has_signature[pattern] != 0 && input.graph() == nullptr) {
            throw Error("pattern " + std::to_string(pattern) +
                        " has a signature, but the words of the input have no heads or other edges");
        }
        const auto places = table.places_of(pattern);
        if (places.empty()) continue;
        if (!input.is_chain())
            throw Error("pattern " + std::to_string(pattern) + " has places, which the words of a lattice do not have");
        if (places.back() >= input.words().size()) {
            throw Error("pattern " + std::to_string(pattern) + " has place " + std::to_string(places.back()) +
                        ", but the input has " + std::to_string(input.words().size()) + " words");
        }
    }
}

void PatternConditions::look_at(std::uint32_t from, std::uint32_t to, std::span<const Span> gaps) {
    from_ = from;
    known_ = false;
    if (input_.graph() == nullptr) return;  // then no pattern has a signature
    symbols_.clear();
    std::uint16_t symbol = 0;
    auto gap = gaps.begin();
    for (std::uint32_t at = from; at < to; ++symbol) {
        const std::uint32_t end = gap != gaps.end() && gap->first == at ? (gap++)->second : at + 1;
        symbols_.insert(symbols_.end(), end - at, symbol);
        at = end;
    }
}

bool PatternConditions::same_signature(std::uint32_t pattern) {
    if (!known_) find_signature(*input_.graph(), from_, symbols_, signature_);
    known_ = true;
    return std::ranges::equal(signature_, table_.signature(pattern));
}

bool PatternConditions::hold(std::uint32_t pattern) {
    const auto places = table_.places_of(pattern);
    if (!places.empty() && places.front() != from_) return false;
    return table_.has_signature[pattern] == 0 || same_signature(pattern);
}

bool PatternConditions::hold_apart(std::uint32_t pattern) {
    const auto places = table_.places_of(pattern);
    const auto source = table_.source(pattern);
    for (std::size_t at = 0; at < places.size(); ++at) {
        if (input_.words()[places[at]].word != static_cast<WordId>(source[at])) return false;
    }
    if (table_.has_signature[pattern] == 0) return true;
    from_ = places.front();
    known_ = false;
    symbols_.assign(places.back() + std::size_t{1} - from_, no_symbol);
    for (std::size_t at = 0; at < places.size(); ++at) symbols_[places[at] - from_] = static_cast<std::uint16_t>(at);
    return same_signature(pattern);
}

}  // namespace pentaglot
