#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// The contents of a chart by the spans of its input; spans are empty until they are filled.
template <typename Part>
class ChartCells {
  public:
    explicit ChartCells(std::size_t nodes) : rows_(nodes) {}

    std::span<const Part> at(std::uint32_t from, std::uint32_t to) const {
        const auto& row = rows_[from];
        return to - from < row.size() ? std::span<const Part>(row[to - from]) : std::span<const Part>();
    }
    // For filling it. Valid until a longer span from the same node is filled.
    std::vector<Part>& fill(std::uint32_t from, std::uint32_t to) {
        auto& row = rows_[from];
        row.resize(std::max<std::size_t>(row.size(), to - from + std::size_t{1}));
        return row[to - from];
    }

  private:
    std::vector<std::vector<std::vector<Part>>> rows_;  // [from][to - from]
};

}  // namespace pentaglot
