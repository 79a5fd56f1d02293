#include "lm/cached_chart.hpp"

#include "base/error.hpp"

namespace pentaglot::lm {

CachedChart::CachedChart(const LanguageModel& model) : model_(model), beginnings_(2) {
    beginnings_[sealed].state.full = true;
}

CachedModel::Answer CachedChart::ask(std::uint32_t left, WordId word) {
    Beginning longer = beginnings_[left];
    const WordScore score = lm::advance(model_.model(), longer.state, word);
    longer.right = model_.number_of(longer.state.right);
    std::uint32_t next = sealed;  // a model of single words keeps none
    if (longer.state.left_length > 0) {
        next = static_cast<std::uint32_t>(beginnings_.size());
        if (next >= AnswerTable::most_states) throw Error("too many states of a language model");
        beginnings_.push_back(longer);
    }
    return {score.log_probability, score.length & 7U, next & AnswerTable::most_states};
}

}  // namespace pentaglot::lm
