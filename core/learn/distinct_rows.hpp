#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/candidates.hpp"

namespace pentaglot {

// The distinct rows of statistics of each sentence: in k-best lists only one candidate in four has a new row.
struct DistinctRows {
    DistinctRows() = default;
    explicit DistinctRows(const CandidateLists& lists);

    std::size_t width = 0;
    std::vector<double> rows;
    std::vector<std::uint64_t> offsets{0};  // sentence -> its rows
    std::vector<std::uint32_t> places;      // candidate -> its row among those of its sentence

    std::span<const double> row(std::size_t number) const { return std::span(rows).subspan(number * width, width); }
};

}  // namespace pentaglot
