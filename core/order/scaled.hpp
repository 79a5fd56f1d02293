#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace pentaglot {

// Rows of small probabilities in single precision: the true values are those in the row times a power of two.
constexpr int no_exponent = std::numeric_limits<int>::min() / 8;  // of rows that are all 0
// What is less likely than this, relative to the likeliest parts that it is made of, counts as impossible: values near
// the smallest float cannot be rescaled.
constexpr float least_total = 1e-30F;
constexpr float largest_outside = 1e30F;  // what lies above belongs to states whose inside is 0 at this precision

inline float power_of_two(int exponent) {
    return exponent < -140 ? 0.0F : std::ldexp(1.0F, exponent);
}

// What is far below the largest of a row adds nothing, but becomes denormal numbers, with which processors are slow.
inline float flushed(float value) {
    return value < 1e-20F ? 0.0F : value;
}

// Scales numbers so that the largest lies between 1/2 and 1. Returns the power of two that they must now be multiplied
// by.
inline int rescale(std::span<float> row) {
    float largest = 0.0F;
    for (const float value : row) largest = std::max(largest, value);
    if (!(largest > least_total)) {
        std::fill(row.begin(), row.end(), 0.0F);
        return no_exponent;
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    const float factor = std::ldexp(1.0F, -exponent);
    for (float& value : row) value = flushed(value * factor);
    return exponent;
}

inline void add_scaled(float* to, const float* from, float factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

inline void max_scaled(float* to, const float* from, float factor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = std::max(to[i], factor * from[i]);
}

// The sum of products, in eight lanes that the compiler can hold in registers, and in the same order everywhere.
inline float dot(const float* a, const float* b, std::size_t count) {
    std::array<float, 8> lanes{};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
    }
    for (std::size_t lane = 0; i < count; ++i, ++lane) lanes[lane] += a[i] * b[i];
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

}  // namespace pentaglot
