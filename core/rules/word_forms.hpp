#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "corpus/text.hpp"

namespace pentaglot {

using Letters = std::span<const std::uint32_t>;  // code points

// A word as it is compared with others: its letters without case and accents, and further traits as bits.
struct SpeltWord {
    Letters letters;
    std::uint8_t traits = 0;
    std::uint8_t heeded = 0;  // the bits of the traits that must agree
};

// The words of a vocabulary in the order of their letters, so that words with the same beginning are neighbours.
// Answers are in a fixed order; words that do not occur (whose count is 0) are never among them.
class WordForms {
  public:
    struct Form {
        WordId word;
        float likeness;  // twice the letters of the common beginning, over the letters of both words
    };
    struct NearLimits {
        float least = 0.6F;         // likeness
        float band = 0.1F;          // how much less alike than the best a form may be
        std::uint32_t letters = 4;  // of the common beginning, which is also at least half of the word
        std::uint32_t most = 5;     // forms
    };
    struct SplitLimits {
        std::uint32_t letters = 4;  // of a part
        std::uint32_t between = 2;  // letters that may stand between two parts
        std::uint32_t parts = 3;
        std::uint64_t seen = 2;      // how often a part must occur
        std::uint32_t longest = 60;  // letters of a word that is split
    };

    // Words by id, from `first` on; words without letters are never found. Throws Error if the arrays contradict each
    // other.
    WordForms(Letters letters, std::span<const std::uint64_t> offsets, std::span<const std::uint8_t> traits,
              WordId first);
    // The same with further words, whose ids follow.
    WordForms extended(Letters letters, std::span<const std::uint64_t> offsets,
                       std::span<const std::uint8_t> traits) const;

    std::size_t size() const { return traits_.size(); }

    // Words with just these letters, the most frequent first.
    std::vector<WordId> alike(const SpeltWord& word, std::span<const std::uint64_t> counts) const;
    // Words that begin alike, the most alike first, among equals the most frequent.
    std::vector<Form> near(const SpeltWord& word, std::span<const std::uint64_t> counts,
                           const NearLimits& limits) const;
    // The words that a word is composed of, with few letters between them: of all ways the one with the largest
    // geometric mean of counts (Koehn and Knight 2003). Nothing if there is none.
    std::vector<WordId> split(const SpeltWord& word, std::span<const std::uint64_t> counts,
                              const SplitLimits& limits) const;

  private:
    WordForms() = default;
    void append(Letters letters, std::span<const std::uint64_t> offsets, std::span<const std::uint8_t> traits);
    Letters letters_of(std::uint32_t number) const {
        return Letters(letters_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
    }
    // The places in order_ of the words that begin with some letters or, if `whole`, that have no others.
    std::pair<std::size_t, std::size_t> range(Letters beginning, bool whole) const;
    bool agrees(std::uint32_t number, const SpeltWord& word) const {
        return ((traits_[number] ^ word.traits) & word.heeded) == 0;
    }
    std::uint64_t count(std::uint32_t number, std::span<const std::uint64_t> counts) const {
        const std::size_t id = std::size_t{first_} + number;
        return id < counts.size() ? counts[id] : 0;
    }

    std::vector<std::uint32_t> letters_;
    std::vector<std::uint64_t> offsets_{0};
    std::vector<std::uint8_t> traits_;
    std::vector<std::uint32_t> order_;  // numbers of words with letters, by their letters, then by number
    WordId first_ = 0;
};

}  // namespace pentaglot
