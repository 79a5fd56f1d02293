#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/text.hpp"
#include "index/limits.hpp"

namespace pentaglot {

// Which sentence a position of the text is in: one bit for each token, set where a sentence ends, and a count for every
// 64 of them.
class SentenceNumbers {
  public:
    SentenceNumbers() = default;
    // Throws Error if the arrays are not those that sentence_marks() makes for a text of this size.
    SentenceNumbers(std::span<const std::uint64_t> ends, std::span<const std::uint32_t> before, std::size_t tokens);

    // Positions may come from a damaged file: those outside the text are in no sentence.
    std::uint32_t operator[](std::size_t position) const {
        if (position / 64 >= ends_.size()) return 0xFFFFFFFF;
        const std::uint64_t below = (std::uint64_t{1} << (position % 64)) - 1;
        return before_[position / 64] + static_cast<std::uint32_t>(__builtin_popcountll(ends_[position / 64] & below));
    }
    // Whether two positions, the first not after the second, are in one sentence.
    bool same(std::size_t first, std::size_t second) const {
        if (first / 64 != second / 64 || second / 64 >= ends_.size()) return (*this)[first] == (*this)[second];
        const std::uint64_t from = ~std::uint64_t{0} << (first % 64);
        return (ends_[first / 64] & from & ((std::uint64_t{1} << (second % 64)) - 1)) == 0;
    }

  private:
    std::span<const std::uint64_t> ends_;
    std::span<const std::uint32_t> before_;
};

struct SentenceMarks {
    std::vector<std::uint64_t> ends;
    std::vector<std::uint32_t> before;
};
SentenceMarks sentence_marks(std::span<const WordId> tokens);

// Ranks [begin, end) of the suffix array: all suffixes that begin with some words.
struct SuffixRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    std::uint32_t size() const { return end - begin; }
    bool empty() const { return begin == end; }
    bool operator==(const SuffixRange&) const = default;
};

// A text with its suffix array; does not own the arrays. All methods may run on many threads.
class SourceIndex {
  public:
    SourceIndex() = default;
    // `first_ranks` says for every word id (and one more) where its suffixes begin; see first_ranks(). Throws Error if
    // the arrays do not belong together, as far as that can be told without reading the text.
    SourceIndex(Text text, std::span<const std::uint32_t> suffixes, std::span<const std::uint32_t> first_ranks,
                SentenceNumbers sentences);

    const Text& text() const { return text_; }
    std::span<const WordId> tokens() const { return text_.tokens(); }
    std::span<const std::uint32_t> suffixes() const { return suffixes_; }
    const SentenceNumbers& sentences() const { return sentences_; }

    // The suffixes that begin with a word; none for ids that are not words of the text. Constant time.
    SuffixRange find(WordId word) const;
    // From the suffixes that begin with `depth` words to those that go on with `word`.
    SuffixRange extend(SuffixRange range, std::size_t depth, WordId word) const;
    SuffixRange find(std::span<const WordId> words) const;

    // The positions of a range in suffix order. They come from disk: the caller checks them against tokens().size().
    std::span<const std::uint32_t> positions(SuffixRange range) const {
        return suffixes_.subspan(range.begin, range.size());
    }

  private:
    Text text_;
    std::span<const std::uint32_t> suffixes_;
    std::span<const std::uint32_t> first_ranks_;
    SentenceNumbers sentences_;
};

// For ids 0 to the largest of the text and one beyond, the first rank whose suffix begins with that id or a later one.
std::vector<std::uint32_t> first_ranks(std::span<const WordId> tokens);

}  // namespace pentaglot
