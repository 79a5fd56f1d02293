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
    // The numbers of the first must be below `distinct`. O(n m / 64).
    std::size_t of(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other, std::size_t distinct);

  private:
    struct Block {
        std::uint64_t more, less;  // where the distance grows and shrinks from one number of the first to the next
    };

    std::vector<std::uint64_t> places_;  // for each number, its places in the first: 64 bits for each block
    std::vector<Block> blocks_;
};

}  // namespace pentaglot
