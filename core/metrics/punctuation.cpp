#include "metrics/punctuation.hpp"

namespace pentaglot {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_stop(char c) {
    return c == '.' || c == ',';
}

// ASCII punctuation and space, except apostrophe, hyphen, period and comma.
bool is_symbol(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
           (c >= ':' && c <= '@') || c == '/';
}

// Rewrites all pairs of neighbours for which `first` and `second` hold, from left to right; no character is used twice.
template <typename First, typename Second, typename Write>
void rewrite(std::string& text, std::string& scratch, First first, Second second, Write write) {
    scratch.clear();
    std::size_t at = 0;
    while (at < text.size()) {
        if (at + 1 < text.size() && first(text[at]) && second(text[at + 1])) {
            write(scratch, text[at], text[at + 1]);
            at += 2;
        } else {
            scratch += text[at++];
        }
    }
    text.swap(scratch);
}

}  // namespace

void replace_all(std::string& text, std::string_view old, std::string_view with) {
    if (text.find(old) == std::string::npos) return;
    std::string replaced;
    std::size_t begin = 0;
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, begin)) {
        replaced.append(text, begin, at - begin).append(with);
        begin = at + old.size();
    }
    text = replaced.append(text, begin);
}

void unescape(std::string& text) {
    if (text.find('&') == std::string::npos) return;
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
}

std::string with_symbols_parted(std::string_view text) {
    std::string line = " ";
    for (const char c : text) {
        if (is_symbol(c)) {
            line += ' ';
            line += c;
            line += ' ';
        } else {
            line += c;
        }
    }
    return line += ' ';
}

void part_stops(std::string& text) {
    std::string scratch;
    const auto no_digit = [](char c) { return !is_digit(c); };
    const auto parted_after = [](std::string& out, char one, char other) {
        out += one;
        out += ' ';
        out += other;
        out += ' ';
    };
    const auto parted_before = [](std::string& out, char one, char other) {
        out += ' ';
        out += one;
        out += ' ';
        out += other;
    };
    rewrite(text, scratch, no_digit, is_stop, parted_after);
    rewrite(text, scratch, is_stop, no_digit, parted_before);
    rewrite(text, scratch, is_digit, [](char c) { return c == '-'; }, parted_after);
}

}  // namespace pentaglot
