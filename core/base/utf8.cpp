#include "base/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pentaglot {

namespace {

// How many bytes the character at `at` has; 0 if there is none.
std::size_t character_size(const unsigned char* at, std::size_t left) {
    const unsigned char lead = at[0];
    if (lead < 0x80) return 1;
    const std::size_t size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (size == 0 || size > left) return 0;
    // The second byte reveals overlong forms, surrogates and numbers that are too large.
    const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < least || at[1] > most) return 0;
    for (std::size_t i = 2; i < size; ++i) {
        if ((at[i] & 0xC0) != 0x80) return 0;
    }
    return size;
}

}  // namespace

bool is_utf8(std::string_view text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    constexpr std::uint64_t high_bits = 0x8080808080808080;
    for (std::size_t at = 0; at < text.size();) {
        std::uint64_t eight;
        if (text.size() - at >= sizeof eight) {
            std::memcpy(&eight, bytes + at, sizeof eight);
            if ((eight & high_bits) == 0) {
                at += sizeof eight;
                continue;
            }
        }
        const std::size_t size = character_size(bytes + at, text.size() - at);
        if (size == 0) return false;
        at += size;
    }
    return true;
}

Character character_at(std::string_view text, std::size_t at) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data()) + at;
    if (bytes[0] < 0x80) return {bytes[0], 1};
    const std::size_t size = character_size(bytes, text.size() - at);
    if (size == 0) return {bytes[0], 1};
    char32_t code = bytes[0] & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) code = code << 6 | (bytes[i] & 0x3FU);
    return {code, size};
}

}  // namespace pentaglot
