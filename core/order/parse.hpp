#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "order/reordering_grammar.hpp"
#include "order/scaled.hpp"

namespace pentaglot {

// Which nodes a parse may make: for each stretch of words (see Parse::cell()), one bit for each operator.
using AllowedOperators = std::vector<std::uint16_t>;

// What is known of the gap after each word before parsing. Words that are joined are one leaf, an unknown word; over a
// wall, nothing changes places. Empty if nothing is known.
enum Gap : std::uint8_t { open_gap, joined_gap, walled_gap };
using Gaps = std::span<const std::uint8_t>;

// The chart of a sentence whose order is not known, with all states of all operators over all stretches of words. It is
// filled bottom-up by CKY; operators of more than two children are filled one child at a time (Chappelier and Rajman
// 1998). Its edges are never written down.
class Parse {
  public:
    // Sums over derivations or, with `best`, takes the best. The sentence must have 1 to 400 words; the grammar must
    // outlive the parse.
    Parse(const ReorderingGrammar& grammar, std::span<const WordId> sentence, bool best,
          const AllowedOperators* allowed = nullptr, Gaps gaps = {});

    // A sentence without a tree is glued together, in order, from stretches that have one, or else words: as few and as
    // likely ones as possible.
    struct Piece {
        std::size_t begin, end;
        bool parsed;  // otherwise it is a word that no tree covers
    };
    const std::vector<Piece>& pieces() const { return pieces_; }
    bool glued() const { return pieces_.size() > 1 || !pieces_[0].parsed; }
    double log_probability() const;  // natural logarithm; if glued, of the pieces, with a penalty for each

    std::size_t size() const { return size_; }
    // Where each word stands: those that are joined to one leaf where the first of them does.
    const std::vector<Position>& places() const { return places_; }
    const ReorderingGrammar& grammar() const { return grammar_; }
    std::size_t cells() const { return exponents_.size(); }
    // Stretches are numbered by their length and then by their beginning.
    std::size_t cell(std::size_t begin, std::size_t end) const {
        const std::size_t shorter = end - begin - 1;
        return shorter * size_ - shorter * (shorter - 1) / 2 + begin;
    }
    int exponent(std::size_t cell) const { return exponents_[cell]; }
    bool dead(std::size_t cell) const { return exponents_[cell] == no_exponent; }
    const float* filled(std::size_t cell) const { return filled_.data() + cell * slots_; }
    const float* states(std::size_t cell) const { return states_.data() + cell * all_states_; }
    // The first `children` slots (2 or more) of the states of an operator, filled.
    const float* part(std::size_t cell, OperatorId kind, std::size_t children) const {
        return parts_.data() + cell * part_width_ + part_at(kind, children);
    }
    std::size_t part_width() const { return part_width_; }
    std::size_t part_at(OperatorId kind, std::size_t children) const {
        return part_firsts_[kind] + (children - 2) * grammar_.layout().states[kind];
    }
    // What the product of two neighbours is multiplied by, in the scale of the cell that covers both.
    float join_factor(std::size_t left, std::size_t right, std::size_t both) const {
        return dead(left) || dead(right) ? 0.0F : power_of_two(exponents_[left] + exponents_[right] - exponents_[both]);
    }
    // The word or phrase that a stretch is, if any, and the factor of its probability in a slot.
    struct Leaf {
        TerminalId terminal = unknown_terminal;
        float factor = 0.0F;  // 0 if it is neither
    };
    const Leaf& leaf(std::size_t cell) const { return leaves_[cell]; }
    // What the word or phrase itself adds to a slot of this kind and state, in the scale of the cell.
    float leaf_value(std::size_t cell, std::size_t slot_kind, std::size_t state) const;
    // The operators of more than two children that the grammar has.
    const std::vector<OperatorId>& large() const { return large_; }

  private:
    void fill_words(std::span<const WordId> sentence, Gaps gaps);
    std::vector<Piece> rows(Gaps gaps, const std::vector<FoundPhrase>& phrases) const;
    void count_walls(Gaps gaps);
    void fill_cell(std::size_t begin, std::size_t end, std::uint16_t allowed);
    void join(std::size_t begin, std::size_t middle, std::size_t end, float factor, std::uint16_t allowed);
    void fill_slots(std::size_t cell);
    void find_pieces();

    const ReorderingGrammar& grammar_;
    std::size_t size_;
    bool best_;
    std::size_t slots_, all_states_, part_width_ = 0;
    std::array<std::size_t, operator_kinds> part_firsts_{};
    std::vector<OperatorId> large_;
    struct Columns {
        std::size_t first, count;
    };
    std::vector<Columns> used_;  // the slots of operators that the grammar has
    std::vector<int> exponents_;
    std::vector<float> filled_, states_, parts_;
    std::vector<Leaf> leaves_;
    std::vector<Piece> pieces_;
    std::vector<Position> places_;
    std::vector<std::size_t> walls_;  // how many there are before each word
};

}  // namespace pentaglot
