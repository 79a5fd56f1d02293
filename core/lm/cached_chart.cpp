#include "lm/cached_chart.hpp"

#include "base/error.hpp"

namespace pentaglot::lm {

CachedChart::CachedChart(const LanguageModel& model) : model_(model), beginnings_(2) {}

// As lm::advance() does. Whatever the model is asked here it may be asked again where the words are not the first.
CachedModel::Answer CachedChart::ask(std::uint32_t left, WordId word) {
    const Beginning shorter = beginnings_[left / 2];
    CachedModel::Answer answer = model_.score(shorter.right, word);
    const unsigned order = model_.model().order();
    std::uint32_t next = sealed;  // a model of single words keeps none
    if (order > 1) {
        const std::uint32_t length = shorter.length + 1;
        const bool full = answer.length < length || answer.extends_left == 0 || length + 1 >= order;
        if (beginnings_.size() >= AnswerTable::most_states / 2) throw Error("too many states of a language model");
        next = 2 * static_cast<std::uint32_t>(beginnings_.size()) + (full ? 1 : 0);
        const auto words = static_cast<std::uint32_t>(words_.size());
        for (std::uint32_t i = 0; i < shorter.length; ++i) words_.push_back(words_[shorter.words + i]);
        words_.push_back({word, answer.log_probability});
        beginnings_.push_back({words, answer.next, length});
    }
    answer.next = next & AnswerTable::most_states;
    return answer;
}

}  // namespace pentaglot::lm
