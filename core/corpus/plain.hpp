#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace pentaglot {

// Whether a character needs no care before tokenising: it is in composed form whatever stands beside it, no control or
// invisible character, no separator but the space, no combining mark, none of the tokenizer's own marks, and none that
// begins something with spaces inside (`code`, <tags>). The ranges cover the everyday letters and punctuation of Latin,
// Greek, Cyrillic, Chinese, Japanese and Korean text; what is outside is not wrong, it only takes the careful way.
constexpr bool is_plain(std::uint32_t c) {
    if (c < 0x300) return (c >= 0x20 && c < 0x7f && c != '`' && c != '<') || (c > 0xa0 && c != 0xad && c != 0x130);
    struct Range {
        std::uint32_t first, last;
    };
    constexpr Range ranges[] = {
        {0x391, 0x3a1},   {0x3a3, 0x3ce},   {0x400, 0x481},   {0x48a, 0x52f},   {0x1e00, 0x1e99}, {0x1e9e, 0x1ef9},
        {0x2010, 0x2027}, {0x2030, 0x205e}, {0x20a0, 0x20bf}, {0x2190, 0x21ff}, {0x3001, 0x3029}, {0x3041, 0x3096},
        {0x309b, 0x30ff}, {0x4e00, 0x9fff}, {0xac00, 0xd7a3}, {0xff01, 0xff5e}, {0xff61, 0xff64},
    };
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [c](Range range) { return range.first <= c && c <= range.last; });
}

// Whether a line consists of plain characters with single spaces between words and none at its ends.
template <typename Character>
bool is_plain_line(std::span<const Character> line) {
    bool after_space = true;
    for (const Character c : line) {
        if (!is_plain(c) || (after_space && c == ' ')) return false;
        after_space = c == ' ';
    }
    return line.empty() || !after_space;
}

}  // namespace pentaglot
