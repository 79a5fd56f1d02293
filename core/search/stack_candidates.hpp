#pragma once

#include <cstdint>
#include <span>

#include "search/path_plans.hpp"
#include "search/phrase_lattice.hpp"

namespace pentaglot {

// Where a hypothesis stands in the input. Hypotheses that agree in this and in the states of the features are merged.
template <typename Covered>
struct Situation {
    Covered covered;
    std::uint32_t begin = 0, end = 0;  // nodes, of the last phrase
    std::uint32_t end_word = 0;        // how many words of the path come before its end
    PathPlans::Plan plan = PathPlans::everything_left;
    std::uint32_t place = 0;  // of the automaton
};

// Hypotheses that cover the same words and end at the same place, best first, with the phrases that may follow.
struct Extension {
    std::span<const std::uint32_t> hypotheses;
    const PhraseGroup* options;
    std::span<const std::uint32_t> rules;  // those of the options that the automaton allows
    std::uint32_t end_word;
    PathPlans::Plan plan;
    std::uint32_t last_begin, last_end;  // nodes, of the last phrase of the hypotheses
    std::uint32_t jump;                  // in words
    float future;                        // of what is left afterwards
};

struct StackCandidate {
    float priority;
    float score;
    std::uint32_t extension;
    std::uint32_t hypothesis, option;  // places in the lists
    std::uint32_t row;                 // computed by the features with state, or `unscored`
};
inline constexpr std::uint32_t unscored = UINT32_MAX;

inline bool lower(const StackCandidate& one, const StackCandidate& other) {
    if (one.priority != other.priority) return one.priority < other.priority;
    if (one.extension != other.extension) return one.extension > other.extension;
    return one.hypothesis != other.hypothesis ? one.hypothesis > other.hypothesis : one.option > other.option;
}

}  // namespace pentaglot
