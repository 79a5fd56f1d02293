#pragma once

#include <cstddef>
#include <cstdint>

namespace pentaglot {

// A number whose bits all depend on all bits of another one.
constexpr std::uint64_t mixed(std::uint64_t number) {
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9ULL;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EBULL;
    return number ^ (number >> 31);
}

// SplitMix64 (Steele, Lea and Flood 2014): small, good enough here, and the same everywhere.
class Random {
  public:
    explicit Random(std::uint64_t seed = 0) : state_(seed) {}

    std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15ULL); }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // in [0, 1)
    // A number below `end`, which must be below 2^32; the bias is far too small to be measured.
    std::size_t below(std::size_t end) { return static_cast<std::size_t>((next() >> 32) * std::uint64_t{end} >> 32); }

  private:
    std::uint64_t state_;
};

}  // namespace pentaglot
