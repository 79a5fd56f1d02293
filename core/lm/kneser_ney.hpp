#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "lm/counts.hpp"
#include "lm/ngrams.hpp"

namespace pentaglot::lm {

// The discounts of the counts 1, 2, and 3 or more.
struct Discounts {
    std::array<double, 3> amount{};
    bool fallback = false;  // the text was too small or too unusual to compute them

    double of(std::uint64_t count) const { return count == 0 ? 0.0 : amount[count < 3 ? count - 1 : 2]; }
};

struct Estimate {
    NGrams ngrams;
    std::vector<Discounts> discounts;  // one for each length
};

// Interpolated modified Kneser-Ney (Chen and Goodman 1998, eq. 26-27) from counted n-grams. The unigrams are
// interpolated with the uniform distribution over all ids but start and null, from which <unk> gets its share. N-grams
// of length n that occur at most prune[n - 1] times are left out and their mass goes to the back-off; `prune` must
// begin with 0 and never fall.
Estimate estimate(std::span<const Run> runs, unsigned order, std::size_t vocabulary_size,
                  std::span<const std::uint64_t> prune, const std::array<double, 3>& fallback, unsigned threads,
                  const Poll& poll);

}  // namespace pentaglot::lm
