#include "lm/chart.hpp"

namespace pentaglot::lm {

void ChartScorer::begin_sentence() {
    state_.right = model_.begin_sentence();
    state_.full = true;
}

WordScore ChartScorer::advance(WordId word) {
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

void ChartScorer::word(WordId word) {
    score_ += advance(word).log_probability;
}

void ChartScorer::stretch(const ChartState& part) {
    // Nothing before it: the stretch stays as it is.
    if (!state_.full && state_.left_length == 0) {
        state_ = part;
        return;
    }
    for (std::uint32_t i = 0; i < part.left_length; ++i) {
        const WordScore score = advance(part.left[i]);
        score_ += score.log_probability - part.left_scores[i];
        if (score.length <= i + 1 && i + 1 < part.left_length) {
            // Only words of the part itself were found, so what comes after it in the part stays as it was.
            state_.right = part.right;
            return;
        }
    }
    if (part.full) state_.right = part.right;
}

}  // namespace pentaglot::lm
