#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/vocabulary.hpp"

namespace pentaglot {

// The sentences of one language as one flat array of ids, each sentence followed by SpecialWord::end, so that a suffix
// array can be built over the array as it lies on disk. Does not own the arrays.
class Text {
  public:
    Text() = default;
    // Throws Error if the offsets are not those of sentences that each close with SpecialWord::end.
    Text(std::span<const WordId> tokens, std::span<const std::uint64_t> offsets);

    std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
    // The words of a sentence, without the closing id.
    std::span<const WordId> operator[](std::size_t sentence) const {
        return tokens_.subspan(offsets_[sentence], offsets_[sentence + 1] - offsets_[sentence] - 1);
    }
    // All ids, closing ids included.
    std::span<const WordId> tokens() const { return tokens_; }
    // Where each sentence begins in tokens(), and the total at the end.
    std::span<const std::uint64_t> offsets() const { return offsets_; }
    // Number of words, closing ids not counted.
    std::size_t words() const { return tokens_.size() - size(); }

  private:
    std::span<const WordId> tokens_;
    std::span<const std::uint64_t> offsets_;
};

// Collects sentences, giving ids to new words (or mapping them to SpecialWord::unknown when the vocabulary is closed).
class TextBuilder {
  public:
    TextBuilder(Vocabulary& vocabulary, bool closed) : vocabulary_(vocabulary), closed_(closed) {}

    void word(std::string_view word) { tokens_.push_back(closed_ ? vocabulary_.find(word) : vocabulary_.add(word)); }
    void words(std::span<const std::string_view> words) { vocabulary_.add_all(words, closed_, tokens_); }
    void end_sentence();
    // Adds every line of a text whose words are separated by spaces and tabs; lines end with '\n' only, and the last
    // one need not.
    void lines(std::string_view text);

    Vocabulary& vocabulary() { return vocabulary_; }
    bool closed() const { return closed_; }
    std::vector<WordId>& tokens() { return tokens_; }
    std::vector<std::uint64_t>& offsets() { return offsets_; }

  private:
    Vocabulary& vocabulary_;
    bool closed_;
    std::vector<WordId> tokens_;
    std::vector<std::uint64_t> offsets_{0};
    std::vector<WordId> ids_;  // scratch of lines()
};

}  // namespace pentaglot
