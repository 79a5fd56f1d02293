#pragma once

#include <cstdint>
#include <vector>

#include "lm/cached_model.hpp"
#include "lm/chart.hpp"

namespace pentaglot::lm {

// A ChartState in 8 bytes: equal ones have equal numbers.
struct CachedStretch {
    std::uint32_t left = 0;   // among the beginnings of stretches, times two; odd if no word will be added to it
    std::uint32_t right = 0;  // a state of the model
};

// What a ChartScorer computes, with all answers remembered. Beginnings of stretches are numbered, like the states of
// the model. As long as a beginning is not full it is the whole stretch, so its right state follows from it.
class CachedChart {
  public:
    explicit CachedChart(const LanguageModel& model);

    CachedModel& model() { return model_; }
    CachedStretch begin_sentence() { return {sealed, model_.begin_sentence()}; }

    // Puts a stretch together from left to right, as ChartScorer does.
    class Scorer {
      public:
        // It may begin with a stretch whose score is known.
        explicit Scorer(CachedChart& chart, const CachedStretch& first = {}, float score = 0)
            : chart_(&chart), state_(first), score_(score) {}

        void word(WordId word) { score_ += advance(word).log_probability; }
        void stretch(const CachedStretch& part);

        float score() const { return score_; }
        const CachedStretch& state() const { return state_; }

      private:
        CachedModel::Answer advance(WordId word);

        CachedChart* chart_;
        CachedStretch state_;
        float score_;
    };

  private:
    static constexpr std::uint32_t empty = 0;       // no words yet
    static constexpr std::uint32_t sealed = 2 | 1;  // nothing will come before, and no words are kept
    static bool is_full(std::uint32_t left) { return (left & 1U) != 0; }

    // What a ChartState says of the left side, in little memory: every stretch that is appended has it read.
    struct FirstWord {
        WordId word;
        float log_probability;
    };
    struct Beginning {
        std::uint32_t words = 0;                            // where they begin among `words_`
        std::uint32_t right = CachedModel::nothing_before;  // the number of the state at its end
        std::uint32_t length = 0;
    };

    CachedModel::Answer ask(std::uint32_t left, WordId word);

    CachedModel model_;
    AnswerTable answers_;  // by beginning; the next "state" is a beginning, too
    std::vector<Beginning> beginnings_;
    std::vector<FirstWord> words_;  // of all beginnings
};

inline CachedModel::Answer CachedChart::Scorer::advance(WordId word) {
    if (is_full(state_.left)) {
        const auto answer = chart_->model_.score(state_.right, word);
        state_.right = answer.next;
        return answer;
    }
    const auto answer = chart_->answers_.find(state_.left, word, [&] { return chart_->ask(state_.left, word); });
    state_ = {answer.next, chart_->beginnings_[answer.next / 2].right};
    return answer;
}

inline void CachedChart::Scorer::stretch(const CachedStretch& part) {
    if (state_.left == empty) {
        state_ = part;
        return;
    }
    const Beginning beginning = chart_->beginnings_[part.left / 2];
    const auto rescore = [&](std::uint32_t i) {
        const FirstWord first = chart_->words_[beginning.words + i];
        const auto answer = advance(first.word);
        score_ += answer.log_probability - first.log_probability;
        return std::uint32_t{answer.length};
    };
    if (keeps_right(beginning.length, is_full(part.left), rescore)) state_.right = part.right;
}

}  // namespace pentaglot::lm
