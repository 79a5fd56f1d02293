#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "base/parallel.hpp"
#include "corpus/text.hpp"

namespace pentaglot {

// Which words of two languages occur in the same sentence pairs, as a sparse matrix whose non-empty places are called
// cells: in rows by source word, and in each row by target word. Both translation directions share the cells.
struct WordPairs {
    std::vector<std::uint64_t> rows;  // for each source word its first cell; one more at the end
    std::vector<WordId> columns;      // for each cell its target word

    std::size_t size() const { return columns.size(); }
    std::size_t source_words() const { return rows.empty() ? 0 : rows.size() - 1; }
};

// The cells of a bitext together with the cell of every pair of positions, found once, so that the loops of EM need no
// lookups. Four bytes for each pair of positions.
class CoOccurrence {
  public:
    // `known` are further cells (those of an earlier model), which the bitext need not have. Pairs with more than
    // `longest` words on a side take no part.
    CoOccurrence(const Text& source, const Text& target, std::size_t source_words, std::size_t target_words,
                 std::size_t longest, const WordPairs& known, unsigned threads, const Poll& poll);

    const WordPairs& pairs() const { return pairs_; }
    std::size_t target_words() const { return target_words_; }
    // Whether a sentence takes part: both sides have words and none has too many.
    bool used(std::size_t sentence) const { return begins_[sentence + 1] > begins_[sentence]; }
    // The cell of source position i and target position j of a sentence is at i * (target length) + j.
    std::span<const std::uint32_t> cells(std::size_t sentence) const {
        return cells_.all().subspan(begins_[sentence], begins_[sentence + 1] - begins_[sentence]);
    }
    // Sentences in runs of about equal work, cut by size alone; run k is [runs()[k], runs()[k + 1]).
    std::span<const std::size_t> runs() const { return runs_; }

  private:
    WordPairs pairs_;
    std::size_t target_words_;
    std::vector<std::uint64_t> begins_;
    LargeArray<std::uint32_t> cells_;
    std::vector<std::size_t> runs_;
};

}  // namespace pentaglot
