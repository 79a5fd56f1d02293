#include "forest/weights_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/listening.hpp"
#include "base/text_fields.hpp"
#include "base/utf8.hpp"

namespace pentaglot {

namespace {

std::optional<unsigned> hexadecimal(char digit) {
    if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
    if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
    if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
    return std::nullopt;
}

// Where UTF-8 may hold a space that is no ASCII: U+0085, U+00A0, U+1680, U+2000 to U+205F, U+3000.
bool begins_odd_space(unsigned char one, unsigned char two) {
    return (one == 0xC2 && (two == 0x85 || two == 0xA0)) || (one == 0xE1 && two == 0x9A) ||
           (one == 0xE2 && (two == 0x80 || two == 0x81)) || (one == 0xE3 && two == 0x80);
}

}  // namespace

WeightsText::WeightsText(std::string_view text) : rest_(text) {
    names_->reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
}

bool WeightsText::is_usual(std::string_view line) const {
    bool plain = true;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const auto byte = static_cast<unsigned char>(line[at]);
        if ((byte < 0x20 && byte != '\t') || byte == 0x7F) return false;
        if (byte < 0x80) continue;
        plain = false;
        if (at + 1 < line.size() && begins_odd_space(byte, static_cast<unsigned char>(line[at + 1]))) return false;
    }
    return plain || is_utf8(line);
}

bool WeightsText::unescape(std::string_view field) {
    name_.clear();
    if (field.find('%') == std::string_view::npos) {
        name_ = field;
        return true;
    }
    for (std::size_t at = 0; at < field.size(); ++at) {
        if (field[at] != '%') {
            name_ += field[at];
            continue;
        }
        if (at + 2 >= field.size()) return false;
        const auto high = hexadecimal(field[at + 1]), low = hexadecimal(field[at + 2]);
        if (!high || !low) return false;
        name_ += static_cast<char>(*high * 16 + *low);
        at += 2;
    }
    return is_utf8(name_);
}

bool WeightsText::read_line(std::string_view line) {
    if (!is_usual(line)) return false;
    const std::string_view name = take_field(line), number = take_field(line);
    if (name.empty() || name.front() == '#') return true;
    double value = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (number.empty() || problem != std::errc() || end != number.data() + number.size() || !std::isfinite(value))
        return false;
    return is_blank(line) && unescape(name) && add(name_, value);
}

std::optional<WeightsText::OddLine> WeightsText::read() {
    while (!rest_.empty()) {
        ++line_;
        listen_at(line_);
        const std::string_view whole = rest_;
        const std::string_view line = take_line(rest_);
        if (!read_line(line)) return OddLine{whole.substr(0, std::min(whole.find('\n'), whole.size())), line_};
    }
    return std::nullopt;
}

bool WeightsText::add(std::string_view name, double value) {
    if (names_->add(name) != values.size()) return false;
    values.push_back(value);
    lines.push_back(line_);
    return true;
}

}  // namespace pentaglot
