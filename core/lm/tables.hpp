#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/vocabulary.hpp"
#include "lm/ngrams.hpp"

namespace pentaglot::lm {

// What a query finds. Two facts are kept in sign bits that the numbers do not need: a log-probability is never
// positive, so its sign bit is cleared if no longer n-gram ends with this one; a back-off of minus zero says that no
// longer n-gram begins with this one.
struct Weights {
    float signed_probability;
    float signed_backoff;

    float log_probability() const {
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(signed_probability) | 0x80000000U);
    }
    bool extends_left() const { return std::bit_cast<std::uint32_t>(signed_probability) >> 31 != 0; }
    bool extends_right() const { return std::bit_cast<std::uint32_t>(signed_backoff) != 0x80000000U; }
};

// One slot of a hash table of n-grams: the slot (for bigrams: the id) of the parent among the n-grams shorter by one,
// and the first word. Where a search begins depends on the words alone, so that the slots of all lengths can be
// prefetched at once; what is found is compared exactly.
struct Slot {
    std::uint32_t parent;
    WordId word;
    Weights weights;
};
struct LongestSlot {
    std::uint32_t parent;
    WordId word;
    float signed_probability;
};
static_assert(sizeof(Weights) == 8 && sizeof(Slot) == 16 && sizeof(LongestSlot) == 12);

inline constexpr WordId free_slot = 0xFFFFFFFFU;

// The hash of an n-gram from that of its parent and its first word.
inline std::uint64_t extend_hash(std::uint64_t hash, WordId word) {
    hash = (hash ^ (hash >> 32)) + word + 1;
    return hash * 0x9E3779B97F4A7C15ULL;
}

// Searches begin in slots [0, homes); the few slots after these take the overflow, and the last one is always free, so
// that every search ends.
inline std::size_t home_slot(std::uint64_t hash, std::size_t homes) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>(Wide{hash} * homes >> 64);
}

// A model in the form in which it is queried and stored, as arrays of 32-bit numbers: (log-probability, back-off) of
// each id, then one table for each length from 2 up.
struct Tables {
    std::vector<std::vector<std::uint32_t>> arrays;
    std::vector<std::uint64_t> homes;   // for each length; 0 for unigrams
    std::vector<std::uint64_t> counts;  // n-grams of each length
};

// What is read from disk or made by build_tables.
struct TableView {
    std::vector<std::span<const std::uint32_t>> arrays;
    std::vector<std::uint64_t> homes;
};

// The n-grams must be in suffix order and their contexts complete. The same n-grams give the same bytes.
Tables build_tables(const NGrams& ngrams);

// The n-grams of a model, in suffix order. Throws Error if the tables contradict themselves.
NGrams read_tables(const TableView& tables);

}  // namespace pentaglot::lm
