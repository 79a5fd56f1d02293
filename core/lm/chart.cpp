#include "lm/chart.hpp"

namespace pentaglot::lm {

WordScore advance(const LanguageModel& model, ChartState& state, WordId word) {
    const WordScore score = model.full_score(state.right, word, state.right);
    if (!state.full) {
        if (model.order() > 1) {
            state.left[state.left_length] = word;
            state.left_scores[state.left_length] = score.log_probability;
            ++state.left_length;
        }
        // Words farther left can matter to later words only if they may form one n-gram with all of this stretch. This
        // word itself stays open: a longer context before it may have a back-off weight.
        if (score.length < state.left_length || !score.extends_left || state.left_length + 1 >= model.order()) {
            state.full = true;
        }
    }
    return score;
}

void ChartScorer::begin_sentence() {
    state_.right = model_.begin_sentence();
    state_.full = true;
}

void ChartScorer::stretch(const ChartState& part) {
    // Nothing before it: the stretch stays as it is.
    if (!state_.full && state_.left_length == 0) {
        state_ = part;
        return;
    }
    const auto rescore = [&](std::uint32_t i) {
        const WordScore score = advance(model_, state_, part.left[i]);
        score_ += score.log_probability - part.left_scores[i];
        return score.length;
    };
    if (keeps_right(part.left_length, part.full, rescore)) state_.right = part.right;
}

}  // namespace pentaglot::lm
