#include "metrics/characters.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/utf8.hpp"

namespace pentaglot {

namespace {

using Range = std::pair<char32_t, char32_t>;

constexpr std::array punctuation{
    Range{0x21, 0x2F},     Range{0x3A, 0x40},     Range{0x5B, 0x60},     Range{0x7B, 0x7E},     Range{0xA1, 0xA1},
    Range{0xA7, 0xA7},     Range{0xAB, 0xAB},     Range{0xB6, 0xB7},     Range{0xBB, 0xBB},     Range{0xBF, 0xBF},
    Range{0x37E, 0x37E},   Range{0x387, 0x387},   Range{0x55A, 0x55F},   Range{0x589, 0x58A},   Range{0x5BE, 0x5BE},
    Range{0x60C, 0x60D},   Range{0x61B, 0x61B},   Range{0x61E, 0x61F},   Range{0x66A, 0x66D},   Range{0x6D4, 0x6D4},
    Range{0x964, 0x965},   Range{0x1360, 0x1368}, Range{0x2010, 0x2027}, Range{0x2030, 0x205E}, Range{0x2E00, 0x2E7F},
    Range{0x3001, 0x3003}, Range{0x3008, 0x3020}, Range{0x3030, 0x3030}, Range{0xFE10, 0xFE6F}, Range{0xFF01, 0xFF0F},
    Range{0xFF1A, 0xFF20}, Range{0xFF3B, 0xFF40}, Range{0xFF5B, 0xFF65},
};

// Thai, Lao, Tibetan, Burmese, Khmer; Chinese and Japanese.
constexpr std::array without_spaces{
    Range{0xE00, 0xEFF},   Range{0xF00, 0xFFF},   Range{0x1000, 0x109F}, Range{0x1780, 0x17FF},
    Range{0x2E80, 0x2FDF}, Range{0x3005, 0x3007}, Range{0x3040, 0x31FF}, Range{0x3400, 0x4DBF},
    Range{0x4E00, 0x9FFF}, Range{0xF900, 0xFAFF}, Range{0xFF66, 0xFF9F}, Range{0x20000, 0x3FFFF},
};

template <typename Ranges>
bool lies_in(const Ranges& ranges, char32_t character) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), character,
                                        [](char32_t one, const Range& range) { return one < range.first; });
    return after != ranges.begin() && character <= std::prev(after)->second;
}

bool is_digit(char32_t character) {
    return character >= U'0' && character <= U'9';
}

bool is_letter(char32_t character) {
    return character != 0 && character < CharacterReader::end && !is_space(character) && !is_digit(character) &&
           !lies_in(punctuation, character) && !lies_in(without_spaces, character);
}

}  // namespace

char32_t CharacterReader::next() {
    if (at_ >= text_.size()) return end;
    const Character found = character_at(text_, at_);
    at_ += found.size;
    return found.code < end ? found.code : 0xFFFD;
}

bool is_space(char32_t character) {
    if (character <= 0x20) return true;
    if (character < 0x85) return character == 0x7F;
    return character == 0x85 || character == 0xA0 || character == 0x1680 ||
           (character >= 0x2000 && character <= 0x200A) || character == 0x2028 || character == 0x2029 ||
           character == 0x202F || character == 0x205F || character == 0x3000;
}

bool is_ignored(char32_t character) {
    return character == 0xAD || character == 0x61C || character == 0x2060 || character == 0xFEFF ||
           (character >= 0x200B && character <= 0x200F) || (character >= 0x202A && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069);
}

bool stands_alone(char32_t before, char32_t character, char32_t after) {
    if (lies_in(without_spaces, character)) return true;
    if (!lies_in(punctuation, character)) return false;
    if (character == U'\'' || character == 0x2019 || character == U'-' || character == 0xB7)
        return !(is_letter(before) && is_letter(after));
    if (character == U'.' || character == U',') return !(is_digit(before) && is_digit(after));
    return true;
}

bool spells_without_spaces(char32_t character) {
    return character < 0x2E80 && lies_in(without_spaces, character);
}

}  // namespace pentaglot
