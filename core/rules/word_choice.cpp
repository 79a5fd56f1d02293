#include "rules/word_choice.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace pentaglot {

std::vector<float> weigh_target_words(const WordChoice& choice, std::span<const WordId> sentence) {
    if (choice.rows.empty() || choice.targets.size() != choice.weights.size())
        throw Error("the arrays of a word choice do not belong together");
    std::vector<float> found(choice.alone.begin(), choice.alone.end());
    std::vector<WordId> words(sentence.begin(), sentence.end());
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    for (const WordId word : words) {
        if (word + std::size_t{1} >= choice.rows.size()) break;
        const std::uint64_t begin = choice.rows[word], end = choice.rows[word + 1];
        if (begin > end || end > choice.targets.size()) throw Error("a word choice has clues beyond its last one");
        for (std::size_t clue = begin; clue < end; ++clue) {
            if (choice.targets[clue] >= found.size()) throw Error("a word choice has a word beyond its vocabulary");
            found[choice.targets[clue]] += choice.weights[clue];
        }
    }
    return found;
}

std::vector<float> sum_target_values(const RuleTable& table, std::span<const float> values) {
    std::vector<float> sums(table.rules(), 0.0F);
    for (std::size_t rule = 0; rule < sums.size(); ++rule) {
        for (const Symbol symbol : table.target(rule)) {
            if (!is_tail(symbol) && static_cast<std::size_t>(symbol) < values.size()) sums[rule] += values[symbol];
        }
    }
    return sums;
}

}  // namespace pentaglot
