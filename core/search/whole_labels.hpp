#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pentaglot {

// How parts with labels become translations. Both lists are sorted.
struct WholeLabels {
    std::vector<std::uint32_t> glue;   // parts with these labels may be put side by side, from left to right (chart) or
                                       // as phrases in any order (stacks)
    std::vector<std::uint32_t> start;  // a part with one of these, if it covers all of the input, is a translation

    bool may_glue(std::uint32_t label) const { return std::ranges::binary_search(glue, label); }
    bool may_start(std::uint32_t label) const { return std::ranges::binary_search(start, label); }
};

}  // namespace pentaglot
