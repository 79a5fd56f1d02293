#pragma once

#include <string>
#include <string_view>

namespace pentaglot {

// What the tokenisers of mteval and Tercom share. All of it works on bytes: what it looks for is ASCII, and no byte of
// another character is.

void replace_all(std::string& text, std::string_view old, std::string_view with);

// Turns &quot;, &amp;, &lt; and &gt;, in this order, into what they stand for.
void unescape(std::string& text);

// The text with a space at either end, and spaces around ASCII punctuation except apostrophe, hyphen, period and comma.
std::string with_symbols_parted(std::string_view text);

// Puts spaces around periods and commas that are not between digits, and around a hyphen after a digit.
void part_stops(std::string& text);

}  // namespace pentaglot
