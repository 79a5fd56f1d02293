#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "align/cooccurrence.hpp"
#include "align/counts.hpp"
#include "align/directions.hpp"
#include "align/stems.hpp"
#include "base/large_array.hpp"
#include "base/parallel.hpp"

namespace pentaglot {

struct LexiconOptions {
    double smoothing = 0.0;       // pseudo-count of every word pair that occurs together
    double null_smoothing = 0.0;  // the same for words that come from nothing
    double spelling = 0.0;        // further pseudo-count of words that are spelt alike, times how alike they are
    bool variational = false;     // variational Bayes in place of plain normalisation
    double stem_strength = 0.0;   // pseudo-counts that draw a word towards the other words of its stem
};

// The translation probabilities of both directions over the same cells, and how they are estimated from counts.
class Lexicon {
  public:
    // Starts uniform. `pairs` must outlive the lexicon.
    Lexicon(const WordPairs& pairs, std::size_t source_words, std::size_t target_words, unsigned threads);

    // For each cell the chance of the target word given the source word, and the reverse.
    std::span<const BothWays<double>> probabilities() const { return probabilities_.all(); }
    // The chance of each generated word when it comes from nothing.
    const std::vector<double>& null(Direction direction) const { return null_[direction]; }
    // The chance of a pair that never occurs together, by the generating word.
    const std::vector<double>& floor(Direction direction) const { return floor_[direction]; }
    // Expected number of times that each generating word generated something, at the last estimate.
    const std::vector<double>& totals(Direction direction) const { return totals_[direction]; }

    // How alike the two words of each cell are spelt, from 0 to 1; empty if spelling does not matter.
    void set_similarity(std::vector<float>&& similarity) { similarity_ = std::move(similarity); }
    std::span<const float> similarity() const { return similarity_; }

    // The words of the source and of the target side by stem; needed if the stem strength is above 0.
    void set_stems(BothWays<Stems>&& stems) { stems_ = std::move(stems); }

    // Counts that are added to those of every estimate: two for each cell, and for words from nothing.
    void set_known(std::vector<BothWays<float>>&& counts, BothWays<std::vector<double>>&& null_counts);

    // New probabilities. counts: two for each cell, by direction. null_counts: target words, then source words.
    void estimate(const SharedCounts& counts, const SharedCounts& null_counts, const FixedPoint& fixed,
                  const LexiconOptions& options, unsigned threads, const Poll& poll);
    // The counts of the last estimate, including the known ones.
    std::span<const BothWays<double>> counts() const { return counts_.all(); }
    const std::vector<double>& null_counts(Direction direction) const { return null_counts_[direction]; }

  private:
    struct StemCounts;

    void divide_word(std::size_t word, const LexiconOptions& options, const BothWays<std::vector<double>>& divisors);
    void divide_stem(std::size_t stem, const LexiconOptions& options, const BothWays<std::vector<double>>& divisors,
                     StemCounts& counts);
    double prior(std::size_t cell, const LexiconOptions& options) const {
        return options.smoothing +
               (similarity_.empty() ? 0.0 : options.spelling * static_cast<double>(similarity_[cell]));
    }
    void estimate_null(const SharedCounts& null_counts, const FixedPoint& fixed, const LexiconOptions& options);

    const WordPairs& pairs_;
    LargeArray<BothWays<double>> probabilities_;
    LargeArray<BothWays<double>> counts_;
    BothWays<std::vector<double>> null_;
    BothWays<std::vector<double>> floor_;
    BothWays<std::vector<double>> totals_;
    BothWays<std::vector<double>> null_counts_;
    std::vector<BothWays<float>> known_;
    BothWays<std::vector<double>> known_null_;
    std::vector<float> similarity_;
    BothWays<Stems> stems_;
    BothWays<std::vector<double>> stem_totals_;
};

// The logarithmic derivative of the gamma function, for x > 0.
double digamma(double x);

}  // namespace pentaglot
