#include "forest/weights_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
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

// Where a non-ASCII space may begin in UTF-8: U+0085, U+00A0, U+1680, U+2000 to U+205F, U+3000.
bool begins_odd_space(unsigned char one, unsigned char two) {
    return (one == 0xC2 && (two == 0x85 || two == 0xA0)) || (one == 0xE1 && two == 0x9A) ||
           (one == 0xE2 && (two == 0x80 || two == 0x81)) || (one == 0xE3 && two == 0x80);
}

// The number of bytes of the non-ASCII space that begins here; 0 if there is none.
std::size_t odd_space(std::string_view rest) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(at < rest.size() ? rest[at] : 0); };
    const unsigned char one = byte(0), two = byte(1), three = byte(2);
    if (one == 0xC2) return two == 0x85 || two == 0xA0 ? 2 : 0;
    if (one == 0xE1) return two == 0x9A && three == 0x80 ? 3 : 0;
    if (one == 0xE3) return two == 0x80 && three == 0x80 ? 3 : 0;
    if (one != 0xE2) return 0;
    if (two == 0x81) return three == 0x9F ? 3 : 0;
    return two == 0x80 && (three <= 0x8A || three == 0xA8 || three == 0xA9 || three == 0xAF) ? 3 : 0;
}

void escape(std::string_view name, std::string& text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (std::size_t at = 0; at < name.size();) {
        const auto first = static_cast<unsigned char>(name[at]);
        std::size_t bytes = first < 0x80 ? 0 : odd_space(name.substr(at));
        if (first <= ' ' || first == '%' || first == 0x7F || (first == '#' && at == 0)) bytes = 1;
        if (bytes == 0) text += name[at++];
        for (; bytes > 0; --bytes, ++at) {
            const auto byte = static_cast<unsigned char>(name[at]);
            text += {'%', digits[byte / 16], digits[byte % 16]};
        }
    }
}

// As Python's repr(): 0.5, 100000.0, 1e-05, 1.5e+16.
void write_number(double value, std::string& text) {
    if (std::signbit(value)) text += '-';
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof(buffer), std::abs(value), std::chars_format::scientific).ptr;
    const std::string_view whole(buffer, static_cast<std::size_t>(end - buffer));
    const std::size_t e = whole.find('e');
    int exponent = 0;
    std::from_chars(whole.data() + e + (whole[e + 1] == '+' ? 2 : 1), end, exponent);
    if (exponent < -4 || exponent >= 16) {
        text += whole;
        return;
    }
    std::string mantissa(1, whole[0]);
    if (e > 1) mantissa += whole.substr(2, e - 2);  // without its point
    if (exponent < 0) {
        text += "0.";
        text.append(static_cast<std::size_t>(-exponent - 1), '0');
        text += mantissa;
        return;
    }
    const auto before = static_cast<std::size_t>(exponent) + 1;
    if (mantissa.size() < before) mantissa.append(before - mantissa.size(), '0');
    text.append(mantissa, 0, before);
    text += '.';
    text += mantissa.size() > before ? std::string_view(mantissa).substr(before) : "0";
}

}  // namespace

std::string written_weights(const FeatureNames& names, std::span<const double> values,
                            std::span<const std::uint32_t> left_out) {
    const FeatureNames::Flat flat = names.flat(0, values.size());
    if (flat.offsets.size() != values.size() + 1) throw Error("every weight needs a name");
    std::string text;
    text.reserve(flat.bytes.size() + 22 * values.size());
    auto skipped = left_out.begin();
    for (std::size_t at = 0; at < values.size(); ++at) {
        listen_at(at);
        if (skipped != left_out.end() && *skipped == at) {
            ++skipped;
            continue;
        }
        if (!std::isfinite(values[at])) throw Error("a weight is not a finite number");
        escape({flat.bytes.data() + flat.offsets[at], flat.offsets[at + 1] - flat.offsets[at]}, text);
        text += ' ';
        write_number(values[at], text);
        text += '\n';
    }
    return text;
}

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
