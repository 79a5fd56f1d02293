#pragma once

#include <cstddef>
#include <string_view>

namespace pentaglot {

// The characters of a text in UTF-8, one after the other. Bytes that are not valid UTF-8 are characters by themselves.
class CharacterReader {
  public:
    static constexpr char32_t end = 0x110000;

    explicit CharacterReader(std::string_view text) : text_(text) {}
    char32_t next();

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

bool is_space(char32_t character);
// Marks without width, which people do not see.
bool is_ignored(char32_t character);
// Whether a character is a word by itself: punctuation, unless it is inside a word or a number (don't, 3.5), or a
// character of a script without spaces. `before` is 0, and `after` CharacterReader::end, where there is none.
bool stands_alone(char32_t before, char32_t character, char32_t after);
// Whether it is a letter of a script without spaces whose words have many letters, such as Thai, and not Chinese.
bool spells_without_spaces(char32_t character);

}  // namespace pentaglot
