#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pentaglot {

struct OscarSettings {
    double single = 0.0;       // beta_1, on every magnitude
    double pairwise = 0.0;     // beta_inf, on the larger magnitude of every pair
    std::size_t features = 0;  // how many there are, including those with weight 0 that are not passed; if more
                               // are passed, the pairwise part ends with the largest `features` of them
    bool group_only = false;   // the pairwise part decides which weights become equal, but shrinks none
};

// The proximal operator of OSCAR: the weights w that minimise |w - v|^2 / 2 + single * sum |w_i| + pairwise * sum of
// max(|w_i|, |w_j|) over pairs (FastOSCAR, Clark 2015, §5.4, corrected). One sort, then one pass that pools weights
// that must become equal.
std::vector<double> oscar_prox(std::span<const double> weights, const OscarSettings& settings);

}  // namespace pentaglot
