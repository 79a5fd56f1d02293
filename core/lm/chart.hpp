#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "lm/model.hpp"

namespace pentaglot::lm {

// A stretch of words somewhere inside a sentence, as a chart decoder sees it (cf. Heafield et al. 2011). `left` holds
// the first words whose scores may still change when words are put before them, with their present scores; `full` says
// that no further word will be added there. `right` is what the stretch means for words after it.
struct ChartState {
    std::array<WordId, max_order - 1> left{};
    std::array<float, max_order - 1> left_scores{};
    std::uint32_t left_length = 0;
    bool full = false;
    State right;

    // Equal stretches get equal scores in any context.
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

// Puts a word after a stretch.
WordScore advance(const LanguageModel& model, ChartState& state, WordId word);

// Scores the left words of a stretch that comes after other words: `rescore(i)` scores word i there, and returns the
// length of the n-gram that was found. Returns whether words after it see what they saw after the stretch alone.
template <typename Rescore>
bool keeps_right(std::uint32_t left_length, bool full, const Rescore& rescore) {
    for (std::uint32_t i = 0; i < left_length; ++i) {
        // Only words of the stretch itself were found, so what comes after it in the stretch stays as it was.
        if (rescore(i) <= i + 1 && i + 1 < left_length) return true;
    }
    return full;
}

// Puts a stretch together from words and smaller stretches, from left to right. The scores of the parts plus score()
// are the score of the whole; any bracketing gives the same as scoring the words one by one.
class ChartScorer {
  public:
    explicit ChartScorer(const LanguageModel& model) : model_(model) {}

    // The stretch begins a sentence; must come first.
    void begin_sentence();
    void word(WordId word) { score_ += advance(model_, state_, word).log_probability; }
    // Appends a stretch whose own score is counted elsewhere; only the change that its new left context makes is added.
    void stretch(const ChartState& part);

    float score() const { return score_; }
    const ChartState& state() const { return state_; }

  private:
    const LanguageModel& model_;
    ChartState state_;
    float score_ = 0.0F;
};

}  // namespace pentaglot::lm
