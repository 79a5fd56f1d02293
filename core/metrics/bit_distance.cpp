#include "metrics/bit_distance.hpp"

#include <algorithm>
#include <bit>

namespace pentaglot {

void BitDistance::assign(std::span<const std::uint32_t> reference) {
    places_.assign(reference.empty() ? 0 : std::ranges::max(reference) + std::size_t{1}, 0);
    for (std::size_t at = 0; at < reference.size(); ++at) places_[reference[at]] |= std::uint64_t{1} << at;
    last_ = std::uint64_t{1} << (reference.size() - 1);
    states_.assign(1, {~std::uint64_t{0}, 0, static_cast<std::int64_t>(reference.size())});
}

BitDistance::State BitDistance::next(State state, std::uint32_t word) const {
    const std::uint64_t equal = word < places_.size() ? places_[word] : 0;
    const std::uint64_t vertical = equal | state.less;
    const std::uint64_t diagonal = (((equal & state.more) + state.more) ^ state.more) | equal;
    std::uint64_t grows = state.less | ~(diagonal | state.more);
    std::uint64_t shrinks = state.more & diagonal;
    state.distance += (grows & last_) != 0;
    state.distance -= (shrinks & last_) != 0;
    grows = grows << 1 | 1;  // each further word is one more edit away from an empty reference
    shrinks <<= 1;
    state.more = shrinks | ~(vertical | grows);
    state.less = grows & vertical;
    return state;
}

void BitDistance::begin(std::span<const std::uint32_t> words) {
    states_.resize(1);
    for (const std::uint32_t word : words) states_.push_back(next(states_.back(), word));
}

std::int64_t BitDistance::distance(std::size_t words, std::size_t reference_words) const {
    const State& state = states_[words];
    if (reference_words == 0) return static_cast<std::int64_t>(words);
    const std::uint64_t seen = ~std::uint64_t{0} >> (longest - reference_words);
    return static_cast<std::int64_t>(words) + std::popcount(state.more & seen) - std::popcount(state.less & seen);
}

std::int64_t BitDistance::of(std::size_t same, std::initializer_list<std::span<const std::uint32_t>> pieces) const {
    State state = states_[same];
    for (const auto piece : pieces) {
        for (const std::uint32_t word : piece) state = next(state, word);
    }
    return state.distance;
}

}  // namespace pentaglot
