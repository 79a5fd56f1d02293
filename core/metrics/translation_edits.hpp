#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/bit_distance.hpp"

namespace pentaglot {

// Counts the edits that turn a hypothesis into a reference: words inserted, deleted and replaced, and runs of words
// shifted, the best shift first (Snover and others 2006), with the limits and in the order of Tercom and sacrebleu.
class TranslationEdits {
  public:
    // Words are numbers; it does not matter which numbers words have that are not in the reference.
    std::size_t count(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference);

  private:
    using Words = std::vector<std::uint32_t>;
    struct Shift {
        std::int64_t gain = 0;  // edits that it saves
        std::size_t length = 0, begin = 0, target = 0;
    };
    struct Exchange {
        std::size_t begin, middle, end;
    };
    // The part of a row of the table that is near the diagonal.
    struct Band {
        std::int64_t begin, end;   // what is computed
        std::int64_t first, last;  // what is stored: one cell before it, and those after it that the next row reaches
    };
    struct Cells {
        std::int32_t* cells;
        std::int64_t first;

        std::int32_t& operator[](std::int64_t column) const { return cells[column - first]; }
    };

    void shift_while_it_helps(std::size_t& shifts);
    Shift best_shift(std::size_t& tried);
    void try_targets(std::size_t begin, std::size_t place, std::size_t length, std::size_t& tried, Shift& best);
    Exchange exchange(const Shift& shift) const;
    void fill_trial(const Shift& shift);
    void begin_round();
    bool within_beam(std::int64_t distance) const;
    Band band(std::size_t number) const;
    void make_table();
    void fill_table();
    void fill_row(const Words& words, std::size_t row, Cells above, Cells cells) const;
    std::int64_t distance_after(const Shift& shift);
    void align();

    Cells row(std::size_t number) { return {table_.data() + rows_[number], band(number).first}; }
    std::int64_t cell(std::size_t words, std::size_t reference_words) {
        return exact_ ? bits_.distance(words, reference_words) : row(words)[static_cast<std::int64_t>(reference_words)];
    }
    std::int64_t distance() { return exact_ ? bits_.distance() : cell(words_.size(), reference_.size()); }

    std::span<const std::uint32_t> reference_;
    Words words_, trial_;              // the hypothesis as it was shifted so far; with one more shift
    double length_ratio_ = 1;          // words of the reference for each of the hypothesis
    std::int64_t beam_ = 0;            // how far from the diagonal distances are computed
    std::vector<std::int32_t> table_;  // edit distances of words_ near the diagonal, a row for each word
    std::vector<std::size_t> rows_;    // where each row begins
    BitDistance bits_;
    bool exact_ = false;   // whether bits_ has the values of the table
    bool filled_ = false;  // whether the table is that of words_
    std::vector<std::int32_t> above_, below_;
    std::vector<std::int64_t> aligned_;                    // for each word of the reference, a place in words_, or -1
    std::vector<std::uint32_t> wrong_here_, wrong_there_;  // how many words before each place are edited
};

}  // namespace pentaglot
