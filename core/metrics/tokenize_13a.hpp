#pragma once

#include <string>
#include <string_view>

namespace pentaglot {

// Puts spaces between words and punctuation as mteval-v13a and sacrebleu's tokeniser of that name do. Words may be
// separated by more than one space. Works on bytes: what it looks for is ASCII, and no byte of another character is.
std::string tokenize_13a(std::string_view text);

}  // namespace pentaglot
