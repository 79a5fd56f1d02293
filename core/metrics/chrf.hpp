#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/ngram_trie.hpp"
#include "metrics/words.hpp"

namespace pentaglot {

struct ChrfOptions {
    std::size_t character_order = 6;
    std::size_t word_order = 0;
    double beta = 2;
    bool whitespace = false;  // whether it counts as a character

    // n-grams of the hypothesis, of the reference, and matched, for each order of characters and then of words.
    std::size_t width() const { return 3 * (character_order + word_order); }
};

// The references of one segment, as chrF sees them (Popović 2015, 2017; as sacrebleu counts).
class ChrfReferences {
  public:
    explicit ChrfReferences(ChrfOptions options) : options_(options) {}

    // Replaces earlier references. The texts must be UTF-8 and outlive all calls of statistics().
    void assign(std::span<const std::string_view> references);

    // The statistics against the reference with the best F-score, the first of several such; `row` is `width` long.
    void statistics(std::string_view hypothesis, std::span<double> row);

  private:
    struct Reference {
        NgramTrie characters, words;
        std::size_t character_count = 0, word_count = 0;
    };

    void read(std::string_view text);
    double f_score(std::span<const double> row) const;

    ChrfOptions options_;
    WordNumbers numbers_;
    std::vector<Reference> references_;
    std::vector<std::uint32_t> characters_;  // of the text at hand
    std::vector<std::string_view> words_;    // of the text at hand, with punctuation split off
    std::vector<std::string_view> parts_;
    std::vector<std::uint32_t> ids_;
    std::vector<double> row_;
    std::vector<double> matched_;
};

}  // namespace pentaglot
