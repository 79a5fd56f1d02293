#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "order/operators.hpp"

namespace pentaglot {

using TerminalId = std::uint32_t;
constexpr TerminalId unknown_terminal = 0;

// The kinds of slots are numbered: those of operator 0, then of operator 1 and so on; that of the root is the last.
constexpr std::array first_slot_numbers = [] {
    std::array<std::uint8_t, operator_kinds + 1> firsts{};
    for (OperatorId kind = 0; kind < operator_kinds; ++kind) {
        firsts[kind + std::size_t{1}] = static_cast<std::uint8_t>(firsts[kind] + arity_of(kind));
    }
    return firsts;
}();
constexpr std::size_t slot_kinds = first_slot_numbers.back();
constexpr std::array slot_operators = [] {
    std::array<OperatorId, slot_kinds> of{};
    for (OperatorId kind = 0; kind < operator_kinds; ++kind) {
        for (std::size_t slot = first_slot_numbers[kind]; slot < first_slot_numbers[kind + std::size_t{1}]; ++slot) {
            of[slot] = kind;
        }
    }
    return of;
}();

// How the parameters of a reordering grammar lie in memory. An operator has some states; every state has a slot for
// each child, which is filled by a state of another operator or by a word or phrase, with probabilities that sum to 1:
// the unary trick (Stanojević 2017, §3.2). The root has one state and one slot. States are numbered across all
// operators, and so are slots.
struct GrammarLayout {
    // How many states each operator has, the root not counted; throws Error for numbers that are not usable.
    explicit GrammarLayout(std::span<const std::uint32_t> states);

    std::array<std::uint32_t, operator_kinds> states{};
    std::array<std::uint32_t, operator_kinds> first_state{};
    std::array<std::uint32_t, slot_kinds> first_slot{};
    std::size_t all_states = 0;  // without the root
    std::size_t all_slots = 0;   // with that of the root, which is the last

    std::size_t slot(OperatorId kind, std::size_t child) const { return first_slot[first_slot_numbers[kind] + child]; }
    std::size_t width(std::size_t slot_kind) const { return states[slot_operators[slot_kind]]; }
};

// Which words and phrases a slot may be filled with: for each terminal its slot kinds, in rising order.
struct Lexicon {
    std::span<const std::uint64_t> offsets;  // terminal -> entries
    std::span<const std::uint8_t> slots;     // entry -> slot kind

    std::size_t terminals() const { return offsets.size() - 1; }
    // Throws Error if the arrays contradict each other.
    void check() const;
    // Where the values of each entry begin, one value for each state of its slot; the last number says how many there
    // are.
    std::vector<std::uint64_t> value_offsets(const GrammarLayout& layout) const;
};

// The parameters: probabilities of states (rows) in slots (columns), and of the lexicon's entries.
struct GrammarView {
    const GrammarLayout& layout;
    Lexicon lexicon;
    std::span<const std::uint64_t> values_at;
    std::span<const float> slots;
    std::span<const float> words;

    const float* row(std::size_t state) const { return slots.data() + state * layout.all_slots; }
    // Writes the probabilities of a terminal, times `factor`, into a row of all slots; returns the largest of them.
    float fill(TerminalId terminal, float factor, float* row) const;
    // Throws Error if the arrays do not fit the layout or hold values that are not probabilities.
    void check() const;
};

}  // namespace pentaglot
