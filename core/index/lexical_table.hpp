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
    std::vector<float> counts;          // of each entry, so that two tables can be read as one
    std::vector<double> source_totals;  // how often each source word is linked
    std::vector<double> target_totals;
};
// `weights` says how much each sentence pair counts; empty: 1.
LexicalTable count_words(const AlignedText& text, std::span<const float> weights = {});

// A view of the stored arrays of a LexicalTable.
class LexicalView {
  public:
    struct Entry {
        float target_given_source = 0;
        float source_given_target = 0;
    };

    LexicalView() = default;
    // Throws Error if the arrays contradict each other.
    LexicalView(std::span<const std::uint64_t> offsets, std::span<const WordId> targets,
                std::span<const float> target_given_source, std::span<const float> source_given_target,
                std::span<const float> counts, std::span<const double> source_totals,
                std::span<const double> target_totals);

    // The table of two texts together; `added` must outlive what is returned.
    LexicalView together_with(const LexicalView& added) const;

    // Zeros for words that were never linked.
    Entry find(WordId source, WordId target) const;
    // All target words of a source word (in this table alone).
    std::span<const WordId> targets(WordId source) const;

  private:
    static constexpr std::size_t none = SIZE_MAX;
    std::size_t place(WordId source, WordId target) const;
    double count(std::size_t place) const { return place == none ? 0.0 : counts_[place]; }
    double source_total(WordId word) const { return word < source_totals_.size() ? source_totals_[word] : 0.0; }
    double target_total(WordId word) const { return word < target_totals_.size() ? target_totals_[word] : 0.0; }

    std::span<const std::uint64_t> offsets_;
    std::span<const WordId> targets_;
    std::span<const float> target_given_source_, source_given_target_;
    std::span<const float> counts_;
    std::span<const double> source_totals_, target_totals_;
    const LexicalView* added_ = nullptr;
};

}  // namespace pentaglot
