#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// How many insertions, deletions and substitutions turn one sequence of numbers into another, of any length, computed
// 64 at a time (Myers 1999; Hyyrö 2003). `BitDistance` is for many short sequences that begin alike. Keeps its scratch
// space.
class EditDistance {
  public:
    // The numbers of the first must be below `distinct`. Takes O(n m / 64) time and O(m + distinct) space.
    std::size_t of(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other, std::size_t distinct);

  private:
    struct Block {
        std::uint64_t more, less;  // where the distance grows and shrinks from one number of the first to the next
    };
    struct Step {
        std::uint8_t grows, shrinks;  // whether the distance does from one number of the second to the next
    };

    void go_on(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> other, std::size_t distinct);

    std::vector<std::uint64_t> places_;  // for each number, its places in these rows: 64 bits for each block
    std::vector<Block> blocks_;
    std::vector<Step> steps_;  // below the rows so far
};

}  // namespace pentaglot
