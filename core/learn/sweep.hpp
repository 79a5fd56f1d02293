#pragma once

#include <span>
#include <vector>

namespace pentaglot {

// The sums of the best candidates' statistics along a line through weight space: they are constant between boundaries.
struct Sweep {
    std::vector<double> boundaries;  // rising
    std::vector<double> totals;      // one row of statistics for each interval, one more than there are boundaries
};

// At `at` the statistics of the best candidate of some sentence change.
struct Change {
    double at;
    std::span<const double> before, after;
};
// Replaces one row of statistics in a total by another.
void add_difference(std::span<const double> before, std::span<const double> after, std::vector<double>& total);

// The sweep that has these statistics at its left end. Changes of one sentence are in order.
Sweep swept(std::vector<double> total, const std::vector<Change>& changes);

}  // namespace pentaglot
