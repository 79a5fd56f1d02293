#pragma once

#include <string_view>

namespace pentaglot {

// Whether bytes are UTF-8 as Unicode defines it: shortest forms only, no halves of surrogate pairs, nothing above
// U+10FFFF, no character cut short.
bool is_utf8(std::string_view text);

}  // namespace pentaglot
