#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pentaglot {

namespace word_hash {

template <typename T>
std::uint64_t load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

}  // namespace word_hash

// For short strings, which checksum() is not made for. It is part of the format on disk.
inline std::uint64_t hash_of(std::string_view word) {
    constexpr std::uint64_t odd_a = 0x9E3779B97F4A7C15ULL, odd_b = 0xC2B2AE3D27D4EB4FULL;
    const char* at = word.data();
    const std::size_t size = word.size();
    std::uint64_t hash = size * odd_b;
    if (size >= 8) {
        for (std::size_t done = 0; done + 8 < size; done += 8) {
            hash = std::rotl(hash ^ word_hash::load<std::uint64_t>(at + done), 29) * odd_a;
        }
        hash ^= word_hash::load<std::uint64_t>(at + size - 8);
    } else if (size >= 4) {
        hash ^= (word_hash::load<std::uint32_t>(at) << 32U) | word_hash::load<std::uint32_t>(at + size - 4);
    } else if (size > 0) {
        const auto byte = [&](std::size_t place) { return std::uint64_t{static_cast<unsigned char>(at[place])}; };
        hash ^= (byte(0) << 16U) | (byte(size / 2) << 8U) | byte(size - 1);
    }
    hash = std::rotl(hash, 31) * odd_a;
    hash ^= hash >> 32U;
    hash *= odd_b;
    return hash ^ (hash >> 29U);
}

}  // namespace pentaglot
