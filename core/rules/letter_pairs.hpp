#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

using Letter = std::uint32_t;  // a code point

constexpr Letter most_letters = 0x110000;  // code points are below
constexpr std::size_t longest_unit = 2;    // letters on a side
constexpr std::size_t longest_spelling = 40;

// How many letters of the source word a unit has, and how many of the target word. With more letters on both sides,
// units would learn whole words by heart; with three on one side they already do.
struct UnitShape {
    std::uint8_t source, target;
};
constexpr std::array<UnitShape, 4> unit_shapes{{{1, 0}, {1, 1}, {1, 2}, {2, 1}}};

// Letters of one side as one number: different ones for different letters, 0 for none.
constexpr std::uint64_t gram_key(std::span<const Letter> letters) {
    std::uint64_t key = 0;
    for (const Letter letter : letters) key = key << 21U | (letter + 1);
    return key;
}

constexpr std::size_t gram_length(std::uint64_t key) {
    std::size_t letters = 0;
    for (; key != 0; key >>= 21U) ++letters;
    return letters;
}

// Words one after the other, in letters; `offsets` has one entry more than there are words.
struct SpeltWords {
    std::span<const Letter> letters;
    std::span<const std::uint64_t> offsets;

    std::size_t size() const { return offsets.size() - 1; }
    std::span<const Letter> operator[](std::size_t number) const {
        return letters.subspan(offsets[number], offsets[number + 1] - offsets[number]);
    }
};

// Throws Error unless each word has 1 to `longest_spelling` letters that are code points.
void check_spellings(const SpeltWords& words);

// Pairs of words, and the units that they can be cut into so that both sides are used up.
class LetterPairs {
  public:
    struct Unit {
        std::uint64_t source, target;  // gram_key of each side
    };

    // Throws Error if the words cannot be paired.
    LetterPairs(SpeltWords source, SpeltWords target);

    std::size_t size() const { return pairs_.size(); }
    std::size_t letters() const { return letters_; }  // of all source words
    std::span<const Unit> units() const { return units_; }

    struct Pair {
        std::uint32_t source, target;  // letters
        std::span<const std::uint32_t> cells;
    };
    Pair pair(std::size_t number) const {
        const Place& place = pairs_[number];
        const std::size_t end = number + 1 < pairs_.size() ? pairs_[number + 1].cells : cells_.size();
        return {place.source, place.target, std::span(cells_).subspan(place.cells, end - place.cells)};
    }

    // Calls visit(i, j, shape, unit) for all units of a pair from source letter i and target letter j on, in an order
    // in which what leads to (i, j) comes before what leads on from there.
    template <typename Visit>
    static void each_unit(const Pair& pair, const Visit& visit) {
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < pair.source; ++i) {
            for (std::uint32_t j = 0; j <= pair.target; ++j) {
                for (const UnitShape shape : unit_shapes) {
                    if (fits(pair, i, j, shape)) visit(i, j, shape, pair.cells[at++]);
                }
            }
        }
    }
    static constexpr bool fits(const Pair& pair, std::uint32_t i, std::uint32_t j, UnitShape shape) {
        return i + shape.source <= pair.source && j + shape.target <= pair.target;
    }

  private:
    struct Place {
        std::uint32_t source, target;
        std::size_t cells;
    };
    std::vector<Place> pairs_;
    std::vector<std::uint32_t> cells_;  // units of each pair, by each_unit
    std::vector<Unit> units_;
    std::size_t letters_ = 0;
};

}  // namespace pentaglot
