#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pentaglot {

// A fast 64-bit hash of bytes, stable across machines and releases: it is written to disk.
// It finds accidents (truncation, flipped bits), not attackers.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace pentaglot
