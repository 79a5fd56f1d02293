#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/text.hpp"

namespace pentaglot {

// Sentences as words that are spelt out, in flat arrays.
class SpeltSentences {
  public:
    void word(std::string_view word);
    void end_sentence() { sentence_ends_.push_back(word_ends_.size()); }

    std::size_t size() const { return sentence_ends_.size(); }
    // The words of a sentence, in place of what was in `words`.
    void words(std::size_t sentence, std::vector<std::string_view>& words) const;

  private:
    std::string bytes_;
    std::vector<std::size_t> word_ends_, sentence_ends_;
};

// Reads lines by the pieces between their spaces. A tokenizer that never looks across a space needs to see each
// different piece only once, and most pieces of a text have been seen before. Lines that are not plain (see plain.hpp)
// are asked for as a whole every time.
class PieceBuilder {
  public:
    // What must be tokenised before the words of the lines are known.
    struct Asked {
        std::vector<std::string_view> pieces, lines;
    };

    // The sentences go into `text`; new words get their ids in the order in which the lines have them.
    explicit PieceBuilder(TextBuilder& text) : text_(text), known_(text.vocabulary(), text.closed()) {}

    // Reads lines, each of which ends with '\n'. The views are valid until the next call.
    Asked read(std::string_view lines);
    // Takes the words of what the last read() asked for, and adds its lines to the text. Throws Error if the numbers
    // differ.
    void answer(const SpeltSentences& pieces, const SpeltSentences& lines);

  private:
    // In `waiting_`, in place of a piece: a line that was asked for as a whole.
    static constexpr WordId whole_line = SpecialWord::null;

    bool cut(std::string_view line);

    TextBuilder& text_;
    Vocabulary pieces_;
    TextBuilder known_;            // the words of each piece, as a sentence
    std::vector<WordId> waiting_;  // what was read: pieces, lines closed by SpecialWord::end
    std::vector<std::string_view> cut_;
    std::size_t lines_asked_ = 0;
};

}  // namespace pentaglot
