#include "rules/letter_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

// A beginning of a word, spelt.
struct Beginning {
    std::vector<Letter> letters;
    lm::State state;
    float score;
};

bool better(const Beginning& one, const Beginning& other) {
    return one.score != other.score ? one.score > other.score : one.letters < other.letters;
}

// Of beginnings that are spelt alike and go on alike only the best one stays, and of all the best `most`.
void keep_best(std::vector<Beginning>& beginnings, std::size_t most) {
    std::ranges::stable_sort(beginnings, better);
    std::map<std::vector<Letter>, std::vector<lm::State>> seen;
    std::vector<Beginning> kept;
    for (Beginning& each : beginnings) {
        if (kept.size() >= most) break;
        auto& states = seen[each.letters];
        if (std::ranges::find(states, each.state) != states.end()) continue;
        states.push_back(each.state);
        kept.push_back(std::move(each));
    }
    beginnings = std::move(kept);
}

}  // namespace

LetterSearch::LetterSearch(SpeltWords source, SpeltWords target, WordId first) : first_(first) {
    const auto bad = [](const SpeltWords& side) {
        return side.offsets.empty() || side.offsets.front() != 0 || side.offsets.back() != side.letters.size() ||
               !std::ranges::is_sorted(side.offsets);
    };
    if (bad(source) || bad(target) || source.size() != target.size())
        throw Error("the letters of some units are missing");
    for (std::size_t number = 0; number < source.size(); ++number) {
        const auto one = source[number], other = target[number];
        const auto wrong = [](Letter letter) { return letter >= most_letters; };
        if (one.empty() || one.size() > longest_unit || other.size() > longest_written ||
            std::ranges::any_of(one, wrong) || std::ranges::any_of(other, wrong))
            throw Error("a unit of letters is empty, too long, or has an invalid letter");
        by_source_[gram_key(one)].push_back(static_cast<WordId>(number));
        targets_.emplace_back(other.begin(), other.end());
    }
}

std::vector<LetterSearch::Spelt> LetterSearch::spell(std::span<const Letter> word, const lm::LanguageModel& language,
                                                     std::size_t most, std::size_t beam) const {
    if (language.vocabulary_size() != first_ + targets_.size())
        throw Error("the language model is not one of these units");
    if (word.empty() || word.size() > longest_spelling || most == 0 || beam == 0) return {};
    if (std::ranges::any_of(word, [](Letter letter) { return letter >= most_letters; })) return {};
    std::vector<std::vector<Beginning>> at(word.size() + 1);
    at[0].push_back({{}, language.begin_sentence(), 0});
    for (std::size_t place = 0; place < word.size(); ++place) {
        keep_best(at[place], beam);
        for (std::size_t length = 1; length <= std::min(longest_unit, word.size() - place); ++length) {
            const auto units = by_source_.find(gram_key(word.subspan(place, length)));
            if (units == by_source_.end()) continue;
            for (const Beginning& before : at[place]) {
                listen();
                for (const WordId unit : units->second) {
                    Beginning next = before;
                    next.score += language.score(before.state, first_ + unit, next.state);
                    if (!std::isfinite(next.score)) continue;  // the model is damaged
                    next.letters.insert(next.letters.end(), targets_[unit].begin(), targets_[unit].end());
                    at[place + length].push_back(std::move(next));
                }
            }
        }
    }
    std::map<std::vector<Letter>, float> ends;
    for (const Beginning& each : at.back()) {
        lm::State after;
        const float score = each.score + language.score(each.state, SpecialWord::end, after);
        if (!std::isfinite(score)) continue;
        const auto [entry, fresh] = ends.emplace(each.letters, score);
        if (!fresh) entry->second = std::max(entry->second, score);
    }
    std::vector<Spelt> found;
    for (const auto& [letters, score] : ends) {
        if (!letters.empty()) found.push_back({letters, score});
    }
    std::ranges::stable_sort(found, [](const Spelt& one, const Spelt& other) { return one.score > other.score; });
    found.resize(std::min(found.size(), most));
    return found;
}

}  // namespace pentaglot
