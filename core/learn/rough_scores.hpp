#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"

namespace pentaglot {

// Model scores in few digits, for those who look for the best candidate of a sentence again and again: they tell which
// candidates may be the best, and only these need an exact score. So what is found is the same, to the last bit, as
// with exact scores of all.
//
// Values are 16-bit integers between the least and the largest of a sentence, so that 16 candidates are scored side by
// side, and lie in memory in the order in which they are read. Features with the same values throughout a sentence (of
// words that only occur in one rule, for instance) share a column with the sum of their weights; those that are
// constant there have none. Sentences whose features are too sparse have no columns; their rows are added up.
class RoughScores {
  public:
    static constexpr std::size_t lanes = 16;  // candidates that are scored together
    // The room that the scores of so many candidates take; beyond the last one they are minus infinity.
    static std::size_t room(std::size_t candidates) { return (candidates + lanes - 1) / lanes * lanes; }

    explicit RoughScores(const CandidateLists& lists);
    RoughScores(const RoughScores&) = delete;
    RoughScores& operator=(const RoughScores&) = delete;

    const CandidateLists& lists() const { return lists_; }

    // What a search needs for itself; one for each thread.
    struct Scratch {
        std::vector<float> scores;  // those found last
        std::vector<double> sums;   // of the weights of each column or, without columns, exact scores
        std::vector<std::int16_t> weights;
    };
    // Scores of all candidates of a sentence, up to a number that is the same for all, into `scratch.scores`; returns
    // by how much each may differ from an exact score. `weight` is asked for each feature; if a weight is a sum, its
    // magnitude is that of the parts, whose products are rounded.
    template <typename Weight, typename Magnitude>
    double of(std::size_t sentence, const Weight& weight, const Magnitude& magnitude, Scratch& scratch) const {
        double all = 0.0;
        scratch.sums.assign(column_offsets_[sentence + 1] - column_offsets_[sentence], 0.0);
        for (const Feature& each : features_of(sentence)) {
            all += magnitude(each.id) * double{each.largest};
            if (each.column != constant) scratch.sums[each.column] += weight(each.id);
        }
        if (sparse_[sentence] == 0) return scored(sentence, all, scratch);
        const SparseRows& rows = lists_.features;
        for (std::size_t row = lists_.sentences[sentence]; row < lists_.sentences[sentence + 1]; ++row) {
            double sum = 0.0;
            for (std::size_t at = rows.offsets[row]; at < rows.offsets[row + 1]; ++at)
                sum += weight(rows.ids[at]) * double{rows.values[at]};
            scratch.sums.push_back(sum);
        }
        return rounded(sentence, all, scratch);
    }
    double of(std::size_t sentence, std::span<const double> weights, Scratch& scratch) const {
        return of(
            sentence, [&](std::uint32_t id) { return weights[id]; },
            [&](std::uint32_t id) { return std::abs(weights[id]); }, scratch);
    }

  private:
    static constexpr std::uint32_t constant = UINT32_MAX;
    struct Feature {
        std::uint32_t id;
        std::uint32_t column;  // of its sentence
        float largest;         // absolute value
    };
    struct Column {
        double step;   // what an integer is worth
        double error;  // the largest difference between a value and what its integer is worth
    };

    std::span<const Feature> features_of(std::size_t sentence) const {
        return std::span(features_).subspan(feature_offsets_[sentence],
                                            feature_offsets_[sentence + 1] - feature_offsets_[sentence]);
    }
    double scored(std::size_t sentence, double magnitude, Scratch& scratch) const;
    double rounded(std::size_t sentence, double magnitude, Scratch& scratch) const;

    CandidateLists lists_;
    std::vector<Feature> features_;
    std::vector<std::uint64_t> feature_offsets_{0};
    std::vector<Column> columns_;
    std::vector<std::uint64_t> column_offsets_{0};
    std::vector<std::uint8_t> sparse_;               // whether a sentence has no columns
    std::vector<std::vector<std::int16_t>> values_;  // of each sentence: by 16 candidates, two columns, candidate
};

// The candidates that may have the largest score + factor * extra, in rising order, given rough scores (with room as
// above; `extra` too, unless it is empty) that differ from exact ones by at most `error`.
void likely_best(std::span<const float> scores, std::span<const float> extra, float factor, double error,
                 std::vector<std::uint32_t>& found);

// The best candidate of every sentence that has any; of equally good ones the first.
std::vector<std::uint64_t> best(const RoughScores& rough, std::span<const double> weights);

}  // namespace pentaglot
