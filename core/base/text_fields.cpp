#include "base/text_fields.hpp"

namespace pentaglot {

std::string quoted(std::string_view text) {
    constexpr std::size_t most = 40;
    std::size_t size = text.size();
    if (size > most) {
        size = most;
        while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;  // not inside a character
    }
    std::string shown = "'";
    shown += text.substr(0, size);
    shown += size < text.size() ? "...'" : "'";
    return shown;
}

bool is_tiny(std::string_view number) {
    if (number.starts_with('-')) number.remove_prefix(1);
    const std::size_t exponent = number.find_first_of("eE");
    if (exponent != std::string_view::npos) return number.substr(exponent + 1).starts_with('-');
    return number.starts_with('0') || number.starts_with('.');
}

}  // namespace pentaglot
