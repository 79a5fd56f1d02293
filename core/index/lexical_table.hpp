#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/aligned_text.hpp"

namespace pentaglot {

// Word translation probabilities by counting links; a word without links counts as linked to SpecialWord::null.
struct LexicalTable {
    std::vector<std::uint64_t> offsets;  // where each source word's entries begin
    std::vector<WordId> targets;         // ascending for each source word
    std::vector<float> target_given_source;
    std::vector<float> source_given_target;
};
LexicalTable count_words(const AlignedText& text);

// The stored arrays of a LexicalTable, looked into.
class LexicalView {
  public:
    struct Entry {
        float target_given_source = 0;
        float source_given_target = 0;
    };

    LexicalView() = default;
    // Throws Error if the arrays contradict each other.
    LexicalView(std::span<const std::uint64_t> offsets, std::span<const WordId> targets,
                std::span<const float> target_given_source, std::span<const float> source_given_target);

    // Zeros for words that were never linked.
    Entry find(WordId source, WordId target) const;
    // All target words of a source word.
    std::span<const WordId> targets(WordId source) const;

  private:
    std::span<const std::uint64_t> offsets_;
    std::span<const WordId> targets_;
    std::span<const float> target_given_source_, source_given_target_;
};

}  // namespace pentaglot
