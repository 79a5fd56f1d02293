#pragma once

#include <cstdint>

#include "corpus/vocabulary.hpp"

namespace pentaglot {

// A 122-bit hash of a string of words. Hashes can be joined: that of xy follows from those of x and y. So the yields of
// derivations are told apart without ever being written out. Two polynomial hashes modulo the prime 2^61 - 1.
class Fingerprint {
  public:
    Fingerprint() = default;
    explicit Fingerprint(WordId word)
        : hash_{word + std::uint64_t{1}, word + std::uint64_t{1}}, shift_{bases[0], bases[1]} {}

    Fingerprint operator+(const Fingerprint& next) const {
        Fingerprint joined;
        for (int i = 0; i < 2; ++i) {
            joined.hash_[i] = reduced(multiplied(hash_[i], next.shift_[i]) + next.hash_[i]);
            joined.shift_[i] = multiplied(shift_[i], next.shift_[i]);
        }
        return joined;
    }

    bool operator==(const Fingerprint& other) const = default;
    std::uint64_t bucket() const { return hash_[0] ^ (hash_[1] << 3); }

  private:
    static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
    static constexpr std::uint64_t bases[2] = {0x0f4a7c15d2b7e151 % prime, 0x1b873593cc9e2d51 % prime};

    static std::uint64_t reduced(std::uint64_t value) {
        value = (value & prime) + (value >> 61);
        return value >= prime ? value - prime : value;
    }
    static std::uint64_t multiplied(std::uint64_t a, std::uint64_t b) {
        const auto product = static_cast<unsigned __int128>(a) * b;
        return reduced((static_cast<std::uint64_t>(product) & prime) + static_cast<std::uint64_t>(product >> 61));
    }

    std::uint64_t hash_[2] = {0, 0};
    std::uint64_t shift_[2] = {1, 1};
};

struct FingerprintHash {
    std::size_t operator()(const Fingerprint& print) const { return print.bucket(); }
};

}  // namespace pentaglot
