#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace pentaglot {

// A text cut into words: its characters with one space between words, and where each word begins.
struct CutText {
    std::vector<char32_t> characters;
    std::vector<std::uint32_t> offsets;  // of words among the characters; each but the last is followed by a space

    // Words are separated by white space; with `cut`, punctuation marks and characters of scripts without spaces are
    // words by themselves, too. Marks without width are left out. The text is UTF-8.
    void read(std::string_view text, bool cut);

    std::size_t size() const { return offsets.size(); }
    std::span<const char32_t> word(std::size_t number) const;
};

// Gives equal words of two texts equal numbers, from 0 on; keeps its scratch space.
class WordNumbering {
  public:
    // Returns how many different words there are, at least 1.
    std::uint32_t assign(const CutText& one, const CutText& other, std::vector<std::uint32_t>& one_numbers,
                         std::vector<std::uint32_t>& other_numbers);

  private:
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spellings_;  // side and word
};

}  // namespace pentaglot
