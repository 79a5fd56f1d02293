#include "order/word_ranks.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"

namespace pentaglot {
namespace {

constexpr double nowhere = -1.0;

struct Place {
    double position = nowhere;
    double strength = 0.0;  // of the link that was picked; for averages the number of links
};

void take(Place& place, double target, double strength, Pick pick) {
    if (pick == Pick::average) {
        place.position = (place.position == nowhere ? 0.0 : place.position) + target;
        place.strength += 1.0;
        return;
    }
    const bool better = pick == Pick::leftmost ? target < place.position
                        : pick == Pick::rightmost
                            ? target > place.position
                            : strength > place.strength || (strength == place.strength && target < place.position);
    if (place.position == nowhere || better) place = {target, strength};
}

// Gives every word without a position that of the nearest one before it, from `begin` to `end`.
template <typename Iterator>
void spread(Iterator begin, Iterator end) {
    double last = nowhere;
    for (Iterator it = begin; it != end; ++it) {
        if (it->position == nowhere) it->position = last;
        last = it->position;
    }
}

}  // namespace

void check_ranks(std::span<const Position> ranks) {
    std::vector<bool> taken(ranks.size(), false);
    for (const Position rank : ranks) {
        if (rank >= ranks.size() || taken[rank]) {
            throw Error("this is not a permutation: place " + std::to_string(rank) +
                        (rank >= ranks.size() ? " is beyond its end" : " is taken twice"));
        }
        taken[rank] = true;
    }
}

std::vector<Position> order_of(std::span<const Position> ranks) {
    std::vector<Position> order(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) order[ranks[i]] = static_cast<Position>(i);
    return order;
}

std::vector<Position> word_ranks(std::size_t words, const SentenceLinks& links, Pick pick, Side attach) {
    std::vector<Place> places(words);
    for (std::size_t i = 0; i < links.source.size(); ++i) {
        if (links.source[i] >= words) throw Error("a link lies outside its sentence");
        take(places[links.source[i]], links.target[i], links.strengths.empty() ? 1.0 : links.strengths[i], pick);
    }
    if (pick == Pick::average) {
        for (Place& place : places) {
            if (place.position != nowhere) place.position /= place.strength;
        }
    }
    if (attach == Side::right) {
        spread(places.rbegin(), places.rend());
        spread(places.begin(), places.end());
    } else {
        spread(places.begin(), places.end());
        spread(places.rbegin(), places.rend());
    }
    std::vector<Position> order(words);
    std::iota(order.begin(), order.end(), Position{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Position a, Position b) { return places[a].position < places[b].position; });
    return order_of(order);  // the ranks are the inverse of the order
}

}  // namespace pentaglot
