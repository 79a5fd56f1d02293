#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.hpp"

namespace pentaglot {

// Reading files of lines whose fields are separated by blanks (spaces and tabs).

// A piece of a file for a message: in quotes, and cut if it is long.
std::string quoted(std::string_view text);

inline bool is_blank(char character) {
    return character == ' ' || character == '\t';
}
inline bool is_blank(std::string_view line) {
    return std::all_of(line.begin(), line.end(), [](char each) { return is_blank(each); });
}

// Takes the next line off the text, without its end ("\n" or "\r\n").
inline std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// Takes the next field off the line; empty at the end.
inline std::string_view take_field(std::string_view& line) {
    const char* const end = line.data() + line.size();
    const char* first = line.data();
    while (first != end && is_blank(*first)) ++first;
    const char* last = first;
    while (last != end && !is_blank(*last)) ++last;
    line = {last, static_cast<std::size_t>(end - last)};
    return {first, static_cast<std::size_t>(last - first)};
}

// Whether a number that no floating-point type can hold is too small rather than too large.
bool is_tiny(std::string_view number);

// The number in a field; throws Error if it is not one. A number too small for its type becomes 0.
template <typename T>
T number_in(std::string_view field) {
    constexpr bool real = std::is_floating_point_v<T>;
    T value{};
    const char* const last = field.data() + field.size();
    const auto [end, error] = std::from_chars(field.data(), last, value);
    if (end == last && error == std::errc()) {
        if constexpr (!real)
            return value;
        else if (std::isfinite(value))
            return value;
    }
    if (real && end == last && error == std::errc::result_out_of_range && is_tiny(field)) return 0;
    throw Error(quoted(field) + (real ? " is not a number" : " is not a whole number"));
}

}  // namespace pentaglot
