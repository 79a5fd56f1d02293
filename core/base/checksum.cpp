#include "base/checksum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/listening.hpp"

namespace pentaglot {

namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

constexpr std::uint64_t odd_a = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t odd_b = 0xC2B2AE3D27D4EB4FULL;
constexpr std::size_t between_listening = 1 << 20;

std::uint64_t load(const std::byte* at) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

std::uint64_t stir(std::uint64_t state, std::uint64_t word) {
    return std::rotl(state ^ (word * odd_b), 29) * odd_a;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
    // Four independent lanes keep the multiplier busy.
    std::uint64_t lanes[4] = {seed + 1, seed + 2, seed + 3, seed + 4};
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    while (left >= 32) {
        // What is read here for the first time may still be on the disk.
        if (left > between_listening) listen();
        const std::size_t block = std::min(left, between_listening) / 32 * 32;
        for (const std::byte* const end = at + block; at != end; at += 32) {
            for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] = stir(lanes[lane], load(at + 8 * lane));
        }
        left -= block;
    }
    std::uint64_t state = bytes.size() * odd_a + seed;
    for (const std::uint64_t lane : lanes) state = stir(state, lane);
    for (; left >= 8; at += 8, left -= 8) state = stir(state, load(at));
    if (left > 0) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, left);
        state = stir(state, word);
    }
    state ^= state >> 32;
    state *= odd_b;
    return state ^ (state >> 29);
}

}  // namespace pentaglot
