#include "metrics/tokenize_tercom.hpp"

#include "base/utf8.hpp"
#include "metrics/punctuation.hpp"

namespace pentaglot {

namespace {

bool is_asian_mark(char32_t c) {
    return c == 0x3001 || c == 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) ||
           (c >= 0xFF61 && c <= 0xFF65) || c == 0x30FB || c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A ||
           c == 0xFF1B || c == 0xFF01 || c == 0xFF02 || c == 0xFF08 || c == 0xFF09;
}

// Characters that are words by themselves. sacrebleu has rules for kana, too, but they look for the beginning of a text
// where a space stands already, and so never apply.
bool is_ideograph(char32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3200 && c <= 0x4DBF) || (c >= 0x31C0 && c <= 0x31EF) ||
           (c >= 0x2E80 && c <= 0x2EFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE4F);
}

bool is_mark(char32_t c) {
    return c < 0x80 && std::string_view(".,?:;!\"()").find(static_cast<char>(c)) != std::string_view::npos;
}

// Every character that `wanted` holds for is left out, or has spaces put around it.
template <typename Wanted>
std::string rewritten(std::string_view text, Wanted wanted, bool left_out) {
    std::string found;
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, size] = character_at(text, at);
        const std::string_view character = text.substr(at, size);
        at += size;
        if (!wanted(code)) {
            found += character;
        } else if (!left_out) {
            found += ' ';
            found += character;
            found += ' ';
        }
    }
    return found;
}

}  // namespace

std::string tokenize_tercom(std::string_view text, const TercomOptions& options) {
    std::string line(text);
    const bool asian = options.asian_support;
    if (options.normalized && !line.empty()) {
        replace_all(line, "\n-", "");
        replace_all(line, "\n", " ");
        unescape(line);
        line = with_symbols_parted(line);
        replace_all(line, "'s ", " 's ");
        part_stops(line);
        if (asian) line = rewritten(line, [](char32_t c) { return is_ideograph(c) || is_asian_mark(c); }, false);
    }
    if (!options.punctuation)
        line = rewritten(line, [&](char32_t c) { return is_mark(c) || (asian && is_asian_mark(c)); }, true);
    return line;
}

}  // namespace pentaglot
