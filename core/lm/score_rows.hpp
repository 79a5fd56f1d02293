#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "corpus/text.hpp"
#include "corpus/vocabulary.hpp"

namespace pentaglot::lm {

// What a model says about a text, token by token.
struct ScoredText {
    Text text;
    std::span<const float> log_probability;
    std::span<const std::uint8_t> length;   // of the longest n-gram that was found
    std::span<const std::uint8_t> unknown;  // 1 if the model does not know the word
};

// Rows separated by tabs, as people and other tools read them. Both throw Error if the arrays do not fit the text.

// For each sentence: log-probability, tokens, unknown words.
std::string sentence_rows(const ScoredText& scored);

// For each token: number of the sentence, from `first` on, token, log-probability, length, 1 if it is unknown.
std::string word_rows(const ScoredText& scored, const Vocabulary& vocabulary, std::uint64_t first);

}  // namespace pentaglot::lm
