#include "lm/cached_model.hpp"

#include "base/error.hpp"

namespace pentaglot::lm {

namespace {

constexpr std::uint32_t no_state = UINT32_MAX;

}  // namespace

void AnswerTable::grow() {
    std::vector<Entry> former(2 * entries_.size(), Entry{unused, {}});
    former.swap(entries_);
    --shift_;
    for (const Entry& entry : former) {
        if (entry.key != unused) entries_[place(entry.key)] = entry;
    }
}

CachedModel::CachedModel(const LanguageModel& model) : model_(model), numbers_(1 << 11, no_state) {
    number_of(State{});
}

std::uint32_t CachedModel::number_of(const State& state) {
    const auto place = [this](const State& wanted) {
        const std::size_t mask = numbers_.size() - 1;
        std::size_t at = (wanted.hash() >> 32U) & mask;
        while (numbers_[at] != no_state && !(states_[numbers_[at]] == wanted)) at = (at + 1) & mask;
        return at;
    };
    if (2 * (states_.size() + 1) > numbers_.size()) {
        numbers_.assign(2 * numbers_.size(), no_state);
        for (std::uint32_t known = 0; known < states_.size(); ++known) numbers_[place(states_[known])] = known;
    }
    std::uint32_t& number = numbers_[place(state)];
    if (number == no_state) {
        if (states_.size() >= AnswerTable::most_states) throw Error("too many states of a language model");
        number = static_cast<std::uint32_t>(states_.size());
        states_.push_back(state);
    }
    return number;
}

CachedModel::Answer CachedModel::ask(std::uint32_t before, WordId word) {
    State after;
    const WordScore score = model_.full_score(states_[before], word, after);
    return {score.log_probability, score.length & 7U, score.extends_left ? 1U : 0U,
            number_of(after) & AnswerTable::most_states};
}

}  // namespace pentaglot::lm
