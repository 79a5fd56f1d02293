#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pentaglot {

// The number of bytes of the white space that begins at `at`, 0 if there is none: the characters at which Python's
// str.split(), and so sacrebleu, separates words.
std::size_t space_at(std::string_view text, std::size_t at);

// Puts the words of a text, which are separated by white space, into `words`.
void split_words(std::string_view text, std::vector<std::string_view>& words);

// Numbers for the words of one segment, from 1 on; 0 is a word that is not known. The spellings must outlive it.
class WordNumbers {
  public:
    // Forgets all words, and makes room for this many distinct ones.
    void assign(std::size_t words);

    std::uint32_t add(std::string_view word);
    std::uint32_t find(std::string_view word) const { return words_[slot(word)].number; }

  private:
    struct Word {
        std::string_view spelling;
        std::uint32_t number = 0;  // 0: a free slot
    };

    std::size_t slot(std::string_view word) const;

    std::vector<Word> words_;
    std::uint32_t distinct_ = 0;
};

}  // namespace pentaglot
