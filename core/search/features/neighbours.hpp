#pragma once

#include <cstdint>

#include "search/features/feature.hpp"

namespace pentaglot {

// The state of features that look only at neighbouring words: something about the first word of a hypothesis, and about
// the last.
struct Ends {
    static constexpr std::int32_t nothing = -1;  // no words
    static constexpr std::int32_t sealed = -2;   // as first: the sentence begins here, so nothing will come before

    std::int32_t first = nothing, last = nothing;

    // The beginning of a sentence, with what stands for it.
    static Ends beginning(std::int32_t start = nothing) { return {sealed, start}; }
};

// Goes through a step from left to right, after what is there `before` it (a beginning that is appended to, or Ends{}).
// Calls meet(one, other) where words become neighbours; returns the ends of the whole. `look` says what is kept of a
// word, a number that is not negative.
template <typename Look, typename Meet>
Ends each_meeting(Ends before, const HypothesisStep& step, const Tails& tails, const Look& look, const Meet& meet) {
    for (const Symbol symbol : step.symbols) {
        Ends next;
        if (is_tail(symbol)) {
            next = state_at<Ends>(tails[tail_of(symbol)]);
        } else {
            next.first = next.last = look(symbol);
        }
        if (next.first == Ends::nothing) continue;
        if (before.last != Ends::nothing && next.first != Ends::sealed) meet(before.last, next.first);
        if (before.first == Ends::nothing) before.first = next.first;
        before.last = next.last;
    }
    return before;
}

}  // namespace pentaglot
