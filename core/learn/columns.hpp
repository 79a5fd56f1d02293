#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"

namespace pentaglot {

// A copy of the features of candidate lists, by sentence and feature, for scoring many candidates at once. A score is
// the same, to the last bit, as that of the sparse row: the same numbers are added in the same order, and zeros change
// nothing.
//
// A feature with the same value for all candidates of a sentence takes hardly any room. Sentences whose features are
// too sparse have no columns; they are scored by their rows.
class FeatureColumns {
  public:
    // Candidates that are scored together: a line of a cache. A column has a multiple of these;
    // beyond the last one, the first is repeated.
    static constexpr std::size_t lanes = 16;

    struct Column {
        std::uint32_t feature;
        std::uint32_t
            step;  // from the values of some candidates to those of the next ones: `lanes`; 0: all are the same
        const float* values;
        float least, largest;  // of them
    };

    explicit FeatureColumns(const CandidateLists& lists);
    FeatureColumns(const FeatureColumns&) = delete;
    FeatureColumns& operator=(const FeatureColumns&) = delete;

    const CandidateLists& lists() const { return lists_; }
    // Whether a sentence has columns.
    bool dense(std::size_t sentence) const { return dense_[sentence] != 0; }
    // The columns of a sentence, by feature; those that are missing hold zeros.
    std::span<const Column> columns(std::size_t sentence) const {
        return std::span(columns_).subspan(offsets_[sentence], offsets_[sentence + 1] - offsets_[sentence]);
    }
    // That of a feature; null if it is zero.
    const Column* column(std::size_t sentence, std::uint32_t feature) const {
        const auto own = columns(sentence);
        const auto found = std::ranges::lower_bound(own, feature, {}, &Column::feature);
        return found != own.end() && found->feature == feature ? &*found : nullptr;
    }
    // Says that a column will be needed soon: memory takes longer than what is done with it.
    static void prefetch(const Column& column, std::size_t candidates) {
        for (std::size_t at = 0; at < candidates; at += lanes) __builtin_prefetch(column.values + at);
    }
    // All values of a column, times a factor.
    static void column_times(const Column& column, double factor, std::span<double> found);
    // The values of a column that are not all the same, as many as asked for, up to a multiple of `lanes`.
    static std::span<const float> values(const Column& column, std::size_t count) { return {column.values, count}; }
    // The features that differ between candidates of some sentence.
    const std::vector<std::uint32_t>& varying() const { return varying_; }

    // The model scores of the candidates of a sentence. Throws Error unless there is a weight for every feature.
    void scores(std::size_t sentence, std::span<const double> weights, std::vector<double>& found) const;

  private:
    struct Seen;
    void add(std::size_t sentence, Seen& seen);
    static void add_scores(std::span<const Column> columns, std::span<const double> weights, std::span<double> sums);

    CandidateLists lists_;
    std::vector<Column> columns_;
    std::vector<std::uint64_t> offsets_{0};
    std::vector<std::uint8_t> dense_;
    std::vector<std::vector<float>>
        values_;  // of each sentence that has columns; as one array they would be copied as it grows
    std::vector<std::uint32_t> varying_;
};

// The model score of every candidate.
std::vector<double> scores(const FeatureColumns& columns, std::span<const double> weights);

}  // namespace pentaglot
