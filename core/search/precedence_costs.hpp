#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// What it costs to translate words of the input in an unlikely order, by sums over rectangles of a table.
class PrecedenceCosts {
  public:
    struct Part {
        std::uint32_t begin, end;
    };

    // `before` has for each pair of words (u, v) the chance that u is translated before v.
    PrecedenceCosts(std::span<const float> before, std::size_t words)
        : words_(words), sums_((words + 1) * (words + 1), 0.0) {
        for (std::size_t u = 0; u < words; ++u) {
            double row = 0.0;
            for (std::size_t v = 0; v < words; ++v) {
                if (u != v) row += std::max(0.0, 1.0 - 2.0 * double{before[u * words + v]});
                sums_[(u + 1) * (words + 1) + v + 1] = at(u, v + 1) + row;
            }
        }
    }

    // The cost of translating all words of one part before all of another.
    double cost(const Part& one, const Part& other) const {
        return at(one.end, other.end) - at(one.begin, other.end) - at(one.end, other.begin) +
               at(one.begin, other.begin);
    }

  private:
    double at(std::size_t u, std::size_t v) const { return sums_[u * (words_ + 1) + v]; }

    std::size_t words_;
    std::vector<double> sums_;  // [u][v]: of translating the first u words before the first v words
};

}  // namespace pentaglot
