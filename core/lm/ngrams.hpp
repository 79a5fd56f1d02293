#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "corpus/vocabulary.hpp"

namespace pentaglot::lm {

inline constexpr unsigned max_order = 7;
// What stands for the logarithm of zero in ARPA files.
inline constexpr float log_of_zero = -99.0F;

// All n-grams of one length. An n-gram is its first word and its parent: the place of the rest among the n-grams
// shorter by one. So "the old house" is ("the", the place of "old house"); 16 bytes whatever its length.
struct Level {
    std::vector<WordId> word;
    std::vector<std::uint32_t> parent;   // empty for unigrams
    std::vector<float> log_probability;  // base 10
    std::vector<float> backoff;          // base 10; 0 if it begins no longer n-gram; empty for the longest

    std::size_t size() const { return word.size(); }
};

// A back-off model as data: what is read from and written to ARPA, estimated, and mixed. The unigrams are all the ids
// of a vocabulary in their order; the other levels are sorted by parent, then by word (suffix order).
struct NGrams {
    std::vector<Level> levels;

    unsigned order() const { return static_cast<unsigned>(levels.size()); }
    // The words of an n-gram of length `length`, first word first, into `words`.
    void spell(unsigned length, std::size_t place, WordId* words) const;
};

// Sorts every level by parent, then by word.
void sort_suffix_order(NGrams& ngrams);

// Where the children of each n-gram of length n begin among those of length n + 1; one more entry at the end.
std::vector<std::uint64_t> child_ranges(const std::vector<std::uint32_t>& parents, std::size_t parent_count);

// For every n-gram of two words or more, the place of its context (all but the last word) among the n-grams shorter by
// one; one vector for each length, the first (unigrams) empty. `words` and `parents` have the shape of the levels of an
// NGrams and its order. Throws Error if a context is missing.
std::vector<std::vector<std::uint32_t>> context_links(const std::vector<const std::vector<WordId>*>& words,
                                                      const std::vector<const std::vector<std::uint32_t>*>& parents,
                                                      unsigned threads, const Poll& poll);

}  // namespace pentaglot::lm
