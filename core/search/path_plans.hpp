#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "search/input.hpp"

namespace pentaglot {

// Where the words lie that a search has translated, counted along the path that it takes. In a sentence that is clear.
// In a lattice the paths between two nodes may differ in length: a search that jumps over a part and leaves it for
// later decides there and then how many words it will take from it, so that distances are those of the path in the end.
// A plan is what is left for later, with these numbers.
class PathPlans {
  public:
    using Plan = std::uint32_t;
    static constexpr Plan everything_left = 0;

    // A part that is left for later may have at most `longest` words; longer ones cannot be planned.
    PathPlans(const Input& input, std::uint32_t longest);

    // Where words that are translated next may lie, counted in words from the beginning.
    struct Way {
        std::uint32_t begin, end;
    };
    // All ways for a phrase with this number of words between two nodes that the plan leaves for later.
    void ways(Plan plan, std::uint32_t from, std::uint32_t to, std::uint32_t words, std::vector<Way>& found) const;
    // What is left after a phrase went one of its ways.
    Plan after(Plan plan, std::uint32_t from, std::uint32_t to, const Way& way);
    // The number of words before the first that is left.
    std::uint32_t first_left(Plan plan) const;

  private:
    static constexpr std::uint32_t open = UINT32_MAX;

    // Between two nodes and two places in words; the last of a plan ends at `open`.
    struct Hole {
        std::uint32_t from, to;
        std::uint32_t begin, end;
        friend auto operator<=>(const Hole&, const Hole&) = default;
    };
    using Holes = std::vector<Hole>;

    void measure(const Input& input);
    // Whether some path between two nodes has this number of words.
    bool possible(std::uint32_t from, std::uint32_t to, std::uint32_t words) const {
        const auto& row = lengths_[from];
        const std::size_t at = std::size_t{to - from} * row_words_ + words / 64;
        return words <= longest_ && at < row.size() && ((row[at] >> (words % 64)) & 1U) != 0;
    }
    const Hole& hole_around(Plan plan, std::uint32_t from) const;

    bool chain_;
    std::uint32_t longest_;
    std::size_t row_words_;
    std::vector<std::vector<std::uint64_t>> lengths_;  // [from][to - from]: a bit for each number of words
    std::vector<const Holes*> plans_;                  // by number
    std::map<Holes, Plan> numbers_;
};

}  // namespace pentaglot
