#include "metrics/words.hpp"

#include <bit>
#include <functional>

namespace pentaglot {

std::size_t space_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t offset) {
        return at + offset < text.size() ? static_cast<unsigned char>(text[at + offset]) : 0U;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return first == ' ' || (first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x1F);
    if (first == 0xC2) return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;
    if (first == 0xE1) return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
    if (first == 0xE3) return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    if (first != 0xE2) return 0;
    const unsigned last = byte(2);
    const bool general =
        byte(1) == 0x80 && ((last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF);
    return general || (byte(1) == 0x81 && last == 0x9F) ? 3 : 0;
}

void split_words(std::string_view text, std::vector<std::string_view>& words) {
    words.clear();
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t space = space_at(text, at);
        if (space == 0) {
            ++at;
            continue;
        }
        if (at > begin) words.push_back(text.substr(begin, at - begin));
        at += space;
        begin = at;
    }
    if (text.size() > begin) words.push_back(text.substr(begin));
}

void WordNumbers::assign(std::size_t words) {
    distinct_ = 0;
    words_.assign(std::bit_ceil(2 * words + 2), {});
}

std::size_t WordNumbers::slot(std::string_view word) const {
    const std::size_t mask = words_.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(word)&mask;
    while (words_[slot].number != 0 && words_[slot].spelling != word) slot = (slot + 1) & mask;
    return slot;
}

std::uint32_t WordNumbers::add(std::string_view word) {
    Word& entry = words_[slot(word)];
    if (entry.number == 0) entry = {word, ++distinct_};
    return entry.number;
}

}  // namespace pentaglot
