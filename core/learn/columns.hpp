#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"
#include "learn/distinct_rows.hpp"

namespace pentaglot {

// A copy of the features of candidate lists, by sentence and feature, for scoring many candidates at once. A score is
// the same, to the last bit, as that of the sparse row: the same numbers are added in the same order, and zeros change
// nothing.
//
// A feature with the same value for all candidates of a sentence takes hardly any room. Sentences whose features are
// too sparse have no columns; they are scored by their rows.
class FeatureColumns {
  public:
    // How many candidates are scored together: as many floats as fill a cache line. First come the values of so many
    // candidates, one feature after the other, then those of the next ones, so that they are read in order; zeros fill
    // up the last ones.
    static constexpr std::size_t lanes = 16;

    struct Column {
        std::uint32_t feature;
        std::uint32_t
            step;  // from the values of some candidates to those of the next ones; 0: all candidates have the same
        std::uint64_t at;
    };

    explicit FeatureColumns(const CandidateLists& lists);

    const CandidateLists& lists() const { return lists_; }
    const DistinctRows& statistics() const { return statistics_; }
    // Whether a sentence has columns.
    bool dense(std::size_t sentence) const { return dense_[sentence] != 0; }
    // The columns of a sentence, by feature; those that are missing hold zeros.
    std::span<const Column> columns(std::size_t sentence) const {
        return std::span(columns_).subspan(offsets_[sentence], offsets_[sentence + 1] - offsets_[sentence]);
    }
    // Prefetches a column that will be needed soon: its values are not adjacent, and memory takes longer than the
    // arithmetic.
    void prefetch(const Column& column, std::size_t candidates) const {
        for (std::size_t at = 0; at < candidates; at += lanes)
            __builtin_prefetch(values_.data() + column.at + at / lanes * column.step);
    }
    // All values of a column, times a factor.
    void column_times(const Column& column, double factor, std::span<double> found) const;
    // The features that differ between candidates of some sentence.
    const std::vector<std::uint32_t>& varying() const { return varying_; }

    // The model scores of the candidates of a sentence. Throws Error unless there is a weight for every feature.
    void scores(std::size_t sentence, std::span<const double> weights, std::vector<double>& found) const;

  private:
    struct Seen;
    void add(std::size_t sentence, Seen& seen);

    CandidateLists lists_;
    DistinctRows statistics_;
    std::vector<Column> columns_;
    std::vector<std::uint64_t> offsets_{0};
    std::vector<std::uint8_t> dense_;
    std::vector<float> values_;
    std::vector<std::uint32_t> varying_;
};

// The model score of every candidate.
std::vector<double> scores(const FeatureColumns& columns, std::span<const double> weights);

// The best candidate of every sentence that has any; of equally good ones the first.
std::vector<std::uint64_t> best(const FeatureColumns& columns, std::span<const double> weights);

}  // namespace pentaglot
