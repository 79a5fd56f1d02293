#include "order/grammar.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace pentaglot {

GrammarLayout::GrammarLayout(std::span<const std::uint32_t> given) {
    constexpr std::uint32_t most = 200;
    if (given.size() != operators.size()) throw Error("a reordering grammar has twelve operators");
    std::copy(given.begin(), given.end(), states.begin());
    states[root] = 1;
    for (OperatorId kind = 0; kind < operator_kinds; ++kind) {
        if (states[kind] < 1 || states[kind] > most) throw Error("an operator has from 1 to 200 states");
        first_state[kind] = static_cast<std::uint32_t>(all_states);
        if (kind != root) all_states += states[kind];
        for (std::size_t child = 0; child < arity_of(kind); ++child) {
            first_slot[first_slot_numbers[kind] + child] = static_cast<std::uint32_t>(all_slots);
            all_slots += states[kind];
        }
    }
}

void Lexicon::check() const {
    if (offsets.size() < 2 || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
        offsets.back() != slots.size()) {
        throw Error("the lexicon of a reordering grammar does not fit its offsets");
    }
    for (const std::uint8_t slot : slots) {
        if (slot >= slot_kinds) throw Error("the lexicon of a reordering grammar has slots that do not exist");
    }
}

std::vector<std::uint64_t> Lexicon::value_offsets(const GrammarLayout& layout) const {
    std::vector<std::uint64_t> found{0};
    for (const std::uint8_t slot : slots) found.push_back(found.back() + layout.width(slot));
    return found;
}

float GrammarView::fill(TerminalId terminal, float factor, float* row) const {
    float largest = 0.0F;
    for (std::size_t entry = lexicon.offsets[terminal]; entry < lexicon.offsets[terminal + std::size_t{1}]; ++entry) {
        float* to = row + layout.first_slot[lexicon.slots[entry]];
        for (std::size_t i = values_at[entry]; i < values_at[entry + 1]; ++i, ++to) {
            *to = words[i] * factor;
            largest = std::max(largest, *to);
        }
    }
    return largest;
}

void GrammarView::check() const {
    lexicon.check();
    if (slots.size() != layout.all_states * layout.all_slots || values_at.back() != words.size()) {
        throw Error("the parameters of a reordering grammar do not fit its states");
    }
    const auto usable = [](float value) { return value >= 0.0F && value <= 1.001F; };
    if (!std::all_of(slots.begin(), slots.end(), usable) || !std::all_of(words.begin(), words.end(), usable)) {
        throw Error("a parameter of a reordering grammar is not a probability");
    }
}

}  // namespace pentaglot
