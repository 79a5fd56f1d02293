#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "lm/model.hpp"

namespace pentaglot::lm {

// A stretch of words somewhere inside a sentence, as a chart decoder sees it (cf. Heafield et al. 2011). `left` holds
// the first words, as many as may still change their score when words are put before them, with the scores that they
// have now; `full` says that no further word will be added there. `right` is what the stretch means for words after it.
struct ChartState {
    std::array<WordId, max_order - 1> left{};
    std::array<float, max_order - 1> left_scores{};
    std::uint32_t left_length = 0;
    bool full = false;
    State right;

    // Stretches that are equal get equal scores in any surroundings.
    friend bool operator==(const ChartState& one, const ChartState& other) {
        return one.left_length == other.left_length && one.full == other.full && one.right == other.right &&
               std::memcmp(one.left.data(), other.left.data(), one.left_length * sizeof(WordId)) == 0;
    }
    std::uint64_t hash() const {
        std::uint64_t sum = right.hash() + (full ? 1 : 0);
        for (std::uint32_t i = 0; i < left_length; ++i) sum = extend_hash(sum, left[i]);
        return sum;
    }
};

inline void copy_stretch(const ChartState& from, ChartState& to) {
    to = from;
}
inline void copy_right(const ChartState& from, State& to) {
    to = from.right;
}

// Puts a stretch together from words and smaller stretches, from left to right. The scores of the parts plus what
// score() says is the score of the whole; any bracketing gives the same as going through the words one by one.
class ChartScorer {
  public:
    explicit ChartScorer(const LanguageModel& model) : model_(model) {}

    // The stretch begins a sentence; must come first.
    void begin_sentence();
    void word(WordId word) { score_ += advance(word).log_probability; }
    // Appends a stretch whose own score is counted elsewhere; only the change that its new left context makes is added.
    // It is a ChartState, or the same in less room (see lm/packed_states.hpp).
    template <typename Part>
    void stretch(const Part& part);

    float score() const { return score_; }
    const ChartState& state() const { return state_; }

  private:
    WordScore advance(WordId word);

    const LanguageModel& model_;
    ChartState state_;
    float score_ = 0.0F;
};

inline WordScore ChartScorer::advance(WordId word) {
    const WordScore score = model_.full_score(state_.right, word, state_.right);
    if (!state_.full) {
        if (model_.order() > 1) {
            state_.left[state_.left_length] = word;
            state_.left_scores[state_.left_length] = score.log_probability;
            ++state_.left_length;
        }
        // Words farther left can matter to later words only if all of this stretch, with them, may be one n-gram. This
        // word itself stays open: a longer context before it may have a back-off weight.
        if (score.length < state_.left_length || !score.extends_left || state_.left_length + 1 >= model_.order()) {
            state_.full = true;
        }
    }
    return score;
}

template <typename Part>
void ChartScorer::stretch(const Part& part) {
    // Nothing before it: the stretch stays as it is.
    if (!state_.full && state_.left_length == 0) {
        copy_stretch(part, state_);
        return;
    }
    for (std::uint32_t i = 0; i < part.left_length; ++i) {
        const WordScore score = advance(part.left[i]);
        score_ += score.log_probability - part.left_scores[i];
        if (score.length <= i + 1 && i + 1 < part.left_length) {
            // Only words of the part itself were found, so what comes after it in the part stays as it was.
            copy_right(part, state_.right);
            return;
        }
    }
    if (part.full) copy_right(part, state_.right);
}

}  // namespace pentaglot::lm
