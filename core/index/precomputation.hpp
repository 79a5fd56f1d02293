#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "index/frequent_sequences.hpp"
#include "index/limits.hpp"
#include "index/occurrences.hpp"
#include "index/source_index.hpp"

namespace pentaglot {

// What is precomputed: the lists that are too long to be sorted and joined while a user waits.
struct PrecomputationSettings {
    std::uint32_t frequent = 1000;      // how many of the most frequent word sequences get lists
    std::uint32_t super_frequent = 10;  // how many of the most frequent words get lists of triples, with two gaps
    std::uint32_t max_length = 5;       // words in a frequent sequence
    std::uint32_t max_span = 10;        // as in GrammarLimits
    std::uint32_t min_gap = 1;
};

// The numbers of the first `most` single words among frequent sequences of these lengths; and, for all `all` sequences,
// their places among the chosen ones (Precomputed::none for others).
std::vector<std::uint32_t> super_frequent(std::span<const std::uint32_t> lengths, std::uint32_t most);
std::vector<std::uint32_t> numbers_among(std::span<const std::uint32_t> chosen, std::size_t all);

// Lists stored end to end: the numbers of list i are [offsets[i], offsets[i + 1]) times the width.
struct Lists {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> positions;
};

// There are F frequent sequences; the first S of them that are single words are super-frequent. Words: list of each
// sequence; pairs: list u * F + v of `u X v`; triples: list (i * S + j) * F + w of `u X v X w` with super-frequent u, v
// (numbers i, j), then, from S * S * F on, list (u * S + i) * S + j with super-frequent v, w.
struct Precomputation {
    PrecomputationSettings settings;
    FrequentSequences frequent;
    Lists words, pairs, triples;
};

// One pass over the text to count and one to fill (Lopez 2008, §4.2.6). The same for any number of threads.
Precomputation precompute(const SourceIndex& index, std::span<const std::uint32_t> common_prefixes,
                          const PrecomputationSettings& settings, unsigned threads, const Poll& poll = {});

// A view of the stored arrays of a Precomputation.
struct PrecomputedArrays {
    std::span<const std::uint32_t> begin, end, length;
    std::span<const std::uint64_t> word_offsets, pair_offsets, triple_offsets;
    std::span<const std::uint32_t> word_positions, pair_positions, triple_positions;
};

class Precomputed {
  public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    Precomputed() = default;
    // Throws Error if the arrays contradict each other.
    Precomputed(const PrecomputationSettings& settings, const PrecomputedArrays& arrays);

    // The number of a frequent sequence, by its suffixes and its length in words; `none` if it is not one.
    std::uint32_t find(SuffixRange range, std::uint32_t length) const;
    // All positions of a sequence.
    Occurrences sequence(std::uint32_t number) const;
    // The occurrences of `u X v` and `u X v X w` within limits; std::nullopt if they are not stored for such limits.
    std::optional<Occurrences> pair(std::uint32_t u, std::uint32_t v, const GrammarLimits& limits) const;
    std::optional<Occurrences> triple(std::uint32_t u, std::uint32_t v, std::uint32_t w,
                                      const GrammarLimits& limits) const;
    // Whether pairs and triples are complete for these limits.
    bool covers(const GrammarLimits& limits) const {
        return limits.max_span <= settings_.max_span && limits.min_gap >= settings_.min_gap;
    }
    std::size_t size() const { return arrays_.length.size(); }

  private:
    Occurrences within(std::span<const std::uint32_t> positions, std::span<const std::uint32_t> sequences,
                       const GrammarLimits& limits) const;

    PrecomputationSettings settings_;
    PrecomputedArrays arrays_;
    std::vector<std::uint32_t> super_;         // numbers of sequences
    std::vector<std::uint32_t> super_number_;  // of each sequence, or none
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>> by_rank_;  // sorted
    std::uint32_t least_count_ = 0;
};

}  // namespace pentaglot
