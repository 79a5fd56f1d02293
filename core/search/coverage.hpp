#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pentaglot {

// A set of input positions below `positions`, not necessarily adjacent.
template <std::size_t positions>
class Coverage {
  public:
    static constexpr std::size_t most = positions;

    static Coverage range(std::size_t begin, std::size_t end) {
        Coverage covered;
        for (std::size_t at = begin; at < end; ++at) covered.words_[at / 64] |= std::uint64_t{1} << (at % 64);
        return covered;
    }

    static Coverage of(std::span<const std::uint32_t> places) {
        Coverage covered;
        for (const std::uint32_t at : places) covered.words_[at / 64] |= std::uint64_t{1} << (at % 64);
        return covered;
    }

    bool has(std::size_t at) const { return ((words_[at / 64] >> (at % 64)) & 1U) != 0; }
    bool overlaps(const Coverage& other) const {
        std::uint64_t common = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) common |= words_[i] & other.words_[i];
        return common != 0;
    }
    Coverage operator|(const Coverage& other) const {
        Coverage joined;
        for (std::size_t i = 0; i < words_.size(); ++i) joined.words_[i] = words_[i] | other.words_[i];
        return joined;
    }
    std::size_t count() const {
        std::size_t sum = 0;
        for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(std::popcount(word));
        return sum;
    }
    // The first position that is not covered.
    std::size_t first_gap() const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (~words_[i] != 0) return 64 * i + static_cast<std::size_t>(std::countr_one(words_[i]));
        }
        return most;
    }
    std::uint64_t hash() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t word : words_) sum = std::rotl(sum ^ word, 23) * 0x9E3779B97F4A7C15ULL;
        return sum ^ (sum >> 31U);
    }
    friend bool operator==(const Coverage&, const Coverage&) = default;
    friend auto operator<=>(const Coverage&, const Coverage&) = default;

  private:
    std::array<std::uint64_t, most / 64> words_{};
};

}  // namespace pentaglot
