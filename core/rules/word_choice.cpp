#include "rules/word_choice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"

namespace pentaglot {

std::vector<float> moved_odds(const WordChoice& choice, std::span<const WordId> sentence) {
    if (choice.rows.empty() || choice.targets.size() != choice.weights.size() ||
        choice.biases.size() != choice.priors.size())
        throw Error("the arrays of a word choice do not belong together");
    std::vector<float> found(choice.biases.size());
    std::ranges::transform(choice.biases, choice.priors, found.begin(), std::minus<>());
    std::vector<WordId> words(sentence.begin(), sentence.end());
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const WordId word : words) {
        if (word + std::size_t{1} >= choice.rows.size()) break;
        const std::uint64_t begin = choice.rows[word], end = choice.rows[word + 1];
        if (begin > end || end > choice.targets.size())
            throw Error("a word choice has clues that are not in its arrays");
        for (std::size_t clue = begin; clue < end; ++clue) {
            if (choice.targets[clue] >= found.size()) throw Error("a word choice has a word beyond its vocabulary");
            found[choice.targets[clue]] += choice.weights[clue];
        }
    }
    return found;
}

WordChoiceColumns choose_words(const RuleTable& table, const WordChoice& choice, std::span<const WordId> sentence) {
    const std::vector<float> moves = moved_odds(choice, sentence);
    constexpr float unknown = 1;  // never the logarithm of a chance
    std::vector<float> chances(moves.size(), unknown);
    const auto chance_of = [&](std::size_t word) {
        if (chances[word] == unknown) {
            const double odds = static_cast<double>(moves[word]) + choice.priors[word];
            chances[word] = static_cast<float>(std::min(odds, 0.0) - std::log1p(std::exp(-std::abs(odds))));
        }
        return chances[word];
    };
    WordChoiceColumns found{std::vector<float>(table.rules(), 0.0F), std::vector<float>(table.rules(), 0.0F)};
    for (std::size_t rule = 0; rule < table.rules(); ++rule) {
        for (const Symbol symbol : table.target(rule)) {
            if (is_tail(symbol) || static_cast<std::size_t>(symbol) >= moves.size()) continue;
            const auto word = static_cast<std::size_t>(symbol);
            found.moves[rule] += moves[word];
            found.chances[rule] += chance_of(word);
        }
    }
    return found;
}

}  // namespace pentaglot
