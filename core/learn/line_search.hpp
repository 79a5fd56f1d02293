#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "learn/candidates.hpp"

namespace pentaglot {

// What the best candidates add up to along a line through weight space: statistics are constant between boundaries.
struct Sweep {
    std::vector<double> boundaries;  // rising
    std::vector<double> totals;      // one row of statistics for each interval, one more than there are boundaries
};

// Exact line search over candidate lists (Och 2003): where along point + x * direction the best candidate of any
// sentence changes, and the statistics of all sentences in each interval. Holds a dense copy of the features that
// differ between candidates of a sentence; the others cannot change any choice.
class LineSearch {
  public:
    explicit LineSearch(const CandidateLists& lists);

    const std::vector<std::uint32_t>& varying() const { return varying_; }

    // One sweep for each direction; `directions` holds one row of weights for each.
    std::vector<Sweep> sweeps(std::span<const double> point, std::span<const double> directions, unsigned threads,
                              const Poll& poll) const;

  private:
    Sweep sweep(std::span<const double> intercepts, std::span<const double> direction) const;

    CandidateLists lists_;
    std::vector<std::uint32_t> varying_;
    std::vector<float> columns_;  // by feature, then by candidate
};

}  // namespace pentaglot
