#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "metrics/cut_words.hpp"
#include "metrics/word_matches.hpp"
#include "order/order_measures.hpp"

namespace pentaglot {

// What becomes of reference words that the translation lacks: they are left out, or go with the nearest matched word on
// the left or on the right.
enum class Unmatched : std::uint8_t { ignore, left, right };

struct WordOrderOptions {
    bool cut = true;     // cut into words; otherwise words are separated by spaces
    double similar = 0;  // the least similarity of spellings that are linked; 0: none are
    Unmatched unmatched = Unmatched::ignore;
    double beta = 0.6;
    bool uniform = false;
    std::unordered_set<std::u32string> function_words;
};

// The words and the word order of a translation compared with its reference, in numbers.
struct WordOrder {
    double words = 0, reference_words = 0;
    double equal = 0, stems = 0, similar = 0;  // links by stage
    double chunks = 0;
    // Function words: those of the translation, those of the reference, and links between two of them that are equal
    // words, or not.
    double function_words = 0, reference_function_words = 0, equal_function_words = 0, function_stems = 0;
    double units = 0;  // of the permutation
    OrderMeasures order;

    static constexpr std::size_t size = 11 + OrderMeasures::size;
    std::array<double, size> row() const;
};

// Measures word order; keeps its scratch space from one pair of texts to the next.
class WordOrderCounter {
  public:
    explicit WordOrderCounter(const WordOrderOptions& options) : options_(options) {}

    // The permutation has a unit for each reference word (only for linked ones, if the others are ignored); its ranks
    // are those of the translation's words that are linked to them. With `stem`, there are as many stems as words.
    WordOrder count(std::string_view text, std::string_view reference, std::string_view stems,
                    std::string_view reference_stems, bool stem);

    // The links of the last pair: for each word of the text its reference word, or WordMatches::none.
    std::span<const std::uint32_t> links() const { return matches_.links(); }

  private:
    void count_functions(WordOrder& found, std::size_t side) const;
    bool is_function(std::size_t side, std::size_t word) const;
    std::vector<Position> ranks() const;

    const WordOrderOptions& options_;
    CutText texts_[2], stems_[2];
    std::vector<std::uint32_t> numbers_[2];
    WordNumbering numbering_;
    WordMatches matches_;
};

}  // namespace pentaglot
