#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/envelope.hpp"
#include "learn/columns.hpp"
#include "learn/distinct_rows.hpp"
#include "learn/sweep.hpp"

namespace pentaglot {

// A point in weight space, and exact search along lines through it (Och 2003): where along point + x * direction the
// best candidate of any sentence changes, and the statistics of all sentences in each interval. One object serves one
// thread.
class LineSearch {
  public:
    // Only these sentences count. Throws Error for a sentence that does not exist, or unless there is a weight for
    // every feature.
    LineSearch(const FeatureColumns& columns, const DistinctRows& statistics, std::span<const std::uint32_t> sentences,
               std::span<const double> point);

    // The statistics of the best candidates at the point.
    const std::vector<double>& totals() const { return totals_; }
    Sweep sweep(std::span<const double> direction);
    // Moves the point by `step` times a direction. Scores are updated, so rounding errors add up.
    void move(std::span<const double> direction, double step);

  private:
    using Column = FeatureColumns::Column;
    struct Direction;

    // How the scores of a sentence change along the direction; false if all change alike.
    bool slopes_of(std::size_t number, const Direction& direction);
    // Which candidates of a sentence are best where; nothing if it is always the same one.
    const std::vector<Piece>* envelope(std::size_t number, const Direction& direction);
    const std::vector<Piece>* envelope_along(std::size_t number, std::uint32_t feature);
    void prefetch(std::size_t number, std::uint32_t feature) const;
    void find_top(std::size_t number);
    void add_up();
    void check(std::span<const double> direction) const;
    std::span<double> scores_of(std::size_t number) {
        return std::span(scores_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
    }

    const FeatureColumns& columns_;
    const DistinctRows& statistics_;
    const CandidateLists& lists_;
    std::vector<std::uint32_t> sentences_;
    std::vector<std::size_t> offsets_{0};  // of these sentences among the scores
    std::vector<double> scores_;
    std::vector<std::size_t> rough_offsets_{0};  // the same among rough scores, which are less that of the best
    std::vector<float> rough_;
    std::vector<std::uint32_t> tops_;  // the best candidate of each sentence
    std::vector<double> totals_;       // their statistics
    std::vector<double> slopes_;       // of the sentence at hand
    UpperEnvelope envelope_;
};

}  // namespace pentaglot
