#include "search/target_automaton.hpp"

#include <algorithm>

namespace pentaglot {

std::uint32_t TargetAutomaton::after(std::uint32_t place, std::span<const Symbol> words) const {
    for (const Symbol word : words) {
        if (place == nowhere) break;
        place = after(place, word);
    }
    return place;
}

bool TargetAutomaton::possible(std::span<const Symbol> target) const {
    for (auto at = target.begin(); at != target.end();) {
        if (is_tail(*at)) {
            ++at;
            continue;
        }
        const auto end = std::find_if(at, target.end(), is_tail);
        const auto places = places_of(*at);
        const std::span run(at, end);
        if (std::none_of(places.begin(), places.end(), [&](auto place) { return after(place, run) != nowhere; }))
            return false;
        at = end;
    }
    return true;
}

}  // namespace pentaglot
