#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "forest/forest.hpp"

namespace pentaglot {

// What translations may say: places, and words that lead from one place to another. A search under an automaton makes
// only hypotheses that it allows. Those that say different parts of it do not compete: they have stacks and limits of
// their own, because few of those that look good at first may lead to an end.
class TargetAutomaton {
  public:
    static constexpr std::uint32_t beginning = 0;
    static constexpr std::uint32_t nowhere = UINT32_MAX;

    virtual ~TargetAutomaton() = default;

    virtual std::uint32_t places() const = 0;
    // Whether a translation may end at a place.
    virtual bool accepts(std::uint32_t place) const = 0;
    // The place after a word; `nowhere` if it may not come there.
    virtual std::uint32_t after(std::uint32_t place, Symbol word) const = 0;
    // Where a word may come, in order.
    virtual std::span<const std::uint32_t> places_of(Symbol word) const = 0;

    // The place after some words.
    std::uint32_t after(std::uint32_t place, std::span<const Symbol> words) const;
    // Whether a target side could be said somewhere, with anything in its gaps.
    bool possible(std::span<const Symbol> target) const;
};

// A part of a translation, as a way from one place of an automaton to another. A part without words is at no place in
// particular.
struct Stretch {
    static constexpr std::uint32_t anywhere = UINT32_MAX;

    std::uint32_t begin = anywhere;
    std::uint32_t end = anywhere;

    static Stretch empty() { return {}; }
    bool is_empty() const { return begin == anywhere; }
    // The place reached by saying it from a place; `nowhere` if it cannot be said there.
    std::uint32_t after(std::uint32_t place) const {
        if (is_empty()) return place;
        return place == begin ? end : TargetAutomaton::nowhere;
    }
    friend auto operator<=>(const Stretch&, const Stretch&) = default;
};

// How many translations of a pattern to rank if `tried` are tried: all (0) under an automaton, because those that it
// rules out must not count.
inline std::uint32_t ranked_translations(std::uint32_t tried, const TargetAutomaton* automaton) {
    return automaton == nullptr ? tried : 0;
}

}  // namespace pentaglot
