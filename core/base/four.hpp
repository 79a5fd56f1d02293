#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pentaglot {

// Four numbers that are computed side by side. Compilers do not find by themselves where that can be done if there are
// comparisons in the way.
using Four = float __attribute__((vector_size(4 * sizeof(float))));
using FourChoices = decltype(Four{} < Four{});  // what a comparison gives: all bits or none

inline Four four_at(std::span<const float> numbers, std::size_t at) {
    Four found;
    std::memcpy(&found, numbers.data() + at, sizeof(found));
    return found;
}

inline float largest_of(const Four& four) {
    return std::max(std::max(four[0], four[1]), std::max(four[2], four[3]));
}

// One bit for each that is chosen.
inline unsigned bits_of(const FourChoices& chosen) {
#if defined(__SSE2__)
    __m128 lanes;
    std::memcpy(&lanes, &chosen, sizeof(lanes));
    return static_cast<unsigned>(_mm_movemask_ps(lanes));
#else
    return (chosen[0] & 1) | (chosen[1] & 2) | (chosen[2] & 4) | (chosen[3] & 8);
#endif
}

}  // namespace pentaglot
