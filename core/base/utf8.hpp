#pragma once

#include <cstddef>
#include <string_view>

namespace pentaglot {

// Whether bytes are UTF-8 as Unicode defines it: shortest forms only, no surrogates, nothing above U+10FFFF, no
// character cut short.
bool is_utf8(std::string_view text);

// A character and how many bytes it has.
struct Character {
    char32_t code;
    std::size_t size;
};

// The character that begins at `at`, which must lie within the text. A byte that begins no valid character counts as
// one, with its own value.
Character character_at(std::string_view text, std::size_t at);

}  // namespace pentaglot
