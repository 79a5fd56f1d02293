#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "lm/chart.hpp"
#include "lm/model.hpp"

namespace pentaglot::lm {

// States with room for exactly `room` words: a model of order n needs n - 1. What is not used is 0, and
// the scores in a state follow from its words; so states are equal if and only if their bytes are.

template <std::size_t room>
struct PackedState {
    std::uint32_t length = 0;
    std::array<WordId, room> words{};
    std::array<float, room> backoff{};

    PackedState() = default;
    explicit PackedState(const State& state) : length(state.length) {
        for (std::size_t i = 0; i < room; ++i) {
            words[i] = i < length ? state.words[i] : 0;
            backoff[i] = i < length ? state.backoff[i] : 0;
        }
    }
    void unpack(State& state) const {
        std::copy(words.begin(), words.end(), state.words.begin());
        std::copy(backoff.begin(), backoff.end(), state.backoff.begin());
        state.length = length;
    }
};

template <std::size_t room>
struct PackedChartState {
    std::uint16_t left_length = 0, full = 0;
    std::array<WordId, room> left{};
    std::array<float, room> left_scores{};
    PackedState<room> right;

    PackedChartState() = default;
    explicit PackedChartState(const ChartState& state)
        : left_length(static_cast<std::uint16_t>(state.left_length)), full(state.full ? 1 : 0), right(state.right) {
        // Beyond its length a state has nothing but zeros on the left.
        std::copy_n(state.left.begin(), room, left.begin());
        std::copy_n(state.left_scores.begin(), room, left_scores.begin());
    }
};

// No padding, whose bytes could be anything.
static_assert(sizeof(PackedState<4>) == 36 && sizeof(PackedChartState<4>) == 72 && sizeof(PackedChartState<2>) == 40);

template <std::size_t room>
void copy_right(const PackedChartState<room>& from, State& to) {
    from.right.unpack(to);
}

template <std::size_t room>
void copy_stretch(const PackedChartState<room>& from, ChartState& to) {
    std::copy(from.left.begin(), from.left.end(), to.left.begin());
    std::copy(from.left_scores.begin(), from.left_scores.end(), to.left_scores.begin());
    to.left_length = from.left_length;
    to.full = from.full != 0;
    copy_right(from, to.right);
}

}  // namespace pentaglot::lm
