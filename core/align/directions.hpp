#pragma once

#include <array>
#include <cstddef>

namespace pentaglot {

// The direction in which words are generated: target words from source words, or the reverse.
enum Direction : std::size_t { to_target = 0, to_source = 1 };

template <typename T>
using BothWays = std::array<T, 2>;

}  // namespace pentaglot
