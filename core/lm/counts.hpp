#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "corpus/text.hpp"

namespace pentaglot::lm {

// A run is the sorted list of the n-grams of some text with their counts, one n-gram for every word and every end of a
// sentence. A record is `order` words, the last word of the n-gram first (so that sorting by them is suffix order),
// then the count as two 32-bit halves, low half first. Before the beginning of a sentence there is only
// SpecialWord::start. Runs may be mapped from disk; adding text to a model is merging runs.
using Run = std::span<const std::uint32_t>;

inline std::size_t record_size(unsigned order) {
    return order + 2;
}

inline std::uint64_t record_count(const std::uint32_t* record, unsigned order) {
    return std::uint64_t{record[order]} | std::uint64_t{record[order + 1]} << 32;
}

// The run of a text of fewer than 2^32 - 1 tokens; takes about 28 bytes of memory for each token besides the result.
// Words must be below `vocabulary_size` and none of them SpecialWord::start or null.
std::vector<std::uint32_t> count_ngrams(const Text& text, std::size_t vocabulary_size, unsigned order, unsigned threads,
                                        const Poll& poll);

// Walks over several runs as if they were one, restricted to n-grams whose last word is in [first, last).
class MergedRuns {
  public:
    MergedRuns(std::span<const Run> runs, unsigned order, WordId first, WordId last);

    // The next n-gram with its count over all runs; false at the end.
    bool next(const std::uint32_t*& words, std::uint64_t& count);

  private:
    struct Cursor {
        const std::uint32_t* at;
        const std::uint32_t* end;
    };
    bool later(const Cursor& one, const Cursor& other) const;

    unsigned order_;
    std::vector<Cursor> heap_;  // the cursor with the smallest record on top
};

// Last words that cut the runs into parts of similar size: ascending, from 0 to vocabulary_size.
std::vector<WordId> cut_runs(std::span<const Run> runs, unsigned order, std::size_t vocabulary_size, std::size_t parts);

}  // namespace pentaglot::lm
