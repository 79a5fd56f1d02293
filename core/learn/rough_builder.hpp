#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"

namespace pentaglot {

// Finds which features of a sentence have the same values for all its candidates, and turns values into integers; for
// RoughScores.
class RoughBuilder {
  public:
    static constexpr std::uint32_t constant = UINT32_MAX;  // in place of a column
    struct Feature {
        std::uint32_t id;
        std::uint32_t column;
        float largest;  // absolute value
        float least, most;
        std::uint32_t count;  // candidates that have it
        std::uint64_t hash;   // of the candidates that have it, and their values
    };
    struct Column {
        std::uint32_t leader;  // the first feature that has it
        double least, step;
        double error;  // of an integer, at most
    };

    explicit RoughBuilder(const CandidateLists& lists) : lists_(lists), places_(lists.feature_count, constant) {}

    // Turns to a sentence.
    void look(std::size_t sentence);
    // Whether the integers would be zeros for the most part.
    bool sparse(std::size_t lanes) const;
    // The values as integers: by `lanes` candidates, two columns, candidate, column. Missing ones are zeros.
    std::vector<std::int16_t> integers(std::size_t lanes);
    // Afterwards: integers() finds out which features do not share a column.
    const std::vector<Feature>& features() const { return features_; }
    const std::vector<Column>& columns() const { return columns_; }

  private:
    void collect();
    void find_columns();
    // False if some features had another column than they should: they have columns of their own now.
    bool fill(std::size_t lanes, std::vector<std::int16_t>& found);
    std::uint32_t new_column(std::uint32_t leader);
    static std::int16_t integer(const Column& column, double value);

    const CandidateLists& lists_;
    std::size_t begin_ = 0, end_ = 0;
    std::vector<std::uint32_t> places_;  // feature -> its place among those of the sentence
    std::vector<Feature> features_;
    std::vector<Column> columns_;
    std::vector<std::pair<std::size_t, float>> last_;  // column -> the last candidate that had a value, and that value
};

}  // namespace pentaglot
