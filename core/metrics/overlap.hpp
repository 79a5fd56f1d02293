#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/cut_words.hpp"
#include "metrics/edit_distance.hpp"

namespace pentaglot {

// What two texts have in common, as BEER counts it (Stanojević 2017, §5.2): of every kind of unit, how many units both
// texts have, how many the first has, and how many the second.
struct Overlaps {
    static constexpr std::size_t characters = 6;  // n-grams of 1 to 6 characters
    static constexpr std::size_t words = 4;       // n-grams of 1 to 4 words
    static constexpr std::size_t anchored = 4;    // the same, where those at either end are counted once more, as such
    static constexpr std::size_t skips = 5;       // pairs of words with at most 1, 2, 3, 4 or any number between them
    static constexpr std::size_t kinds = characters + words + anchored + skips;
    static constexpr std::size_t edits = 2;  // edits that turn one text into the other, of characters and of words
    // Three numbers for each kind; the edits; then the words of both texts and the characters of both.
    static constexpr std::size_t size = 3 * kinds + edits + 4;
    using Row = std::array<double, size>;
    // Which kinds and which edits are wanted: a bit for each, from the lowest on.
    using Wanted = std::uint32_t;
    static constexpr Wanted all = (Wanted{1} << (kinds + edits)) - 1;
};

// Counts overlaps; keeps its scratch space from one pair of texts to the next.
class OverlapCounter {
  public:
    // Texts are cut into words as in CutText. Characters are those of the words, with one space between them; with
    // `cut`, none between words that are letters of Thai and the like. In texts of more than about 2,800 words, pairs
    // with any number of words between them are limited to distances that give about 4 million pairs. Kinds that are
    // not wanted are 0.
    Overlaps::Row count(std::string_view one, std::string_view other, bool cut, Overlaps::Wanted wanted);

  private:
    struct Side : CutText {
        std::vector<std::uint32_t> words;    // by number
        std::vector<std::uint32_t> letters;  // the characters by number
        std::vector<std::uint64_t> keys;     // of n-grams by where they begin
        std::vector<std::uint64_t> sorted;
    };

    void number_letters(bool cut);
    template <typename Units>
    void count_ngrams(Units units, std::uint32_t distinct, Overlaps::Wanted wanted, double* row);
    template <typename Units>
    void count_packed(Units units, unsigned bits, Overlaps::Wanted wanted, double* row);
    void count_anchored(const double* plain, double* row) const;
    void count_skips(std::uint32_t distinct, Overlaps::Wanted wanted, double* row);
    void rename_keys();
    void compare(double* row);

    Side sides_[2];
    std::uint32_t distinct_words_ = 0, distinct_letters_ = 0;
    std::vector<std::uint64_t> known_;
    std::vector<char32_t> alphabet_;
    WordNumbering numbering_;
    EditDistance edits_;
};

}  // namespace pentaglot
