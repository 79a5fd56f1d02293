#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"
#include "learn/distinct_rows.hpp"

namespace pentaglot {

// The features of candidate lists once more, by sentence and feature: what scores many candidates at once. A score is
// the same, bit by bit, as that of the sparse row: the same numbers are added in the same order, and zeros change
// nothing.
//
// A feature that all candidates of a sentence have alike takes no room. Sentences whose features are too sparse for
// columns have none; they are scored by their rows.
class FeatureColumns {
  public:
    // Candidates that are scored together: a line of a cache. First come the values of so many candidates, one feature
    // after the other, then those of the next ones, so that they are read in order; the last ones are zeros.
    static constexpr std::size_t lanes = 16;

    struct Column {
        std::uint32_t feature;
        std::uint32_t step;  // from the values of some candidates to those of the next ones; 0: they are all the same
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
    // Says that a column will be needed soon: its values are apart, and memory takes longer than what is done with
    // them.
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
