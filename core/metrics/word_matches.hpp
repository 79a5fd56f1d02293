#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "metrics/cut_words.hpp"

namespace pentaglot {

// Which words of a translation match which words of its reference, each at most one. Stages add links between words
// that are still free, as METEOR's aligner does (Banerjee and Lavie 2005).
class WordMatches {
  public:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    // Forgets all links.
    void assign(std::size_t words, std::size_t reference_words);

    // Links as many words of equal numbers as possible. If a word occurs more often on one side, the links that cross
    // the fewest others are chosen; of these, those that join the most neighbours to neighbours; then those with the
    // least distance. The search keeps the 50 best choices from word to word, fewer in long texts.
    void link_equal(std::span<const std::uint32_t> words, std::span<const std::uint32_t> reference);

    // Links words of 4 to 100 letters with similar spellings, the most similar first: their edit distance must be at
    // most 1 - `least` of the length of the longer one. Does nothing with more than a million pairs of words.
    void link_similar(const CutText& text, const CutText& reference, double least);

    // For each word its reference word, or none; and the other way round.
    std::span<const std::uint32_t> links() const { return links_; }
    std::span<const std::uint32_t> reference_links() const { return reference_links_; }
    std::size_t count() const { return count_; }
    // The fewest chunks that the links consist of: runs of words that are neighbours on both sides.
    std::size_t chunks() const;

  private:
    struct Choice;
    struct Group;
    struct Rank;
    struct Step;

    void link(std::uint32_t word, std::uint32_t reference);
    void choose(const std::vector<Group>& groups);
    void foresee(const Choice& choice, std::uint32_t number, std::uint32_t word, std::uint32_t which,
                 const Group& group, std::span<const std::uint64_t> crossed, std::vector<Step>& steps) const;
    std::vector<std::uint64_t> crossed_by(std::uint32_t word) const;

    std::vector<std::uint32_t> links_, reference_links_;
    std::size_t count_ = 0;
};

}  // namespace pentaglot
