#pragma once

#include <string>
#include <string_view>

namespace pentaglot {

struct TercomOptions {
    bool normalized = false;     // separate words from punctuation
    bool punctuation = true;     // keep it
    bool asian_support = false;  // separate or leave out East Asian characters, too
};

// Puts spaces between words and punctuation as Tercom and sacrebleu's tokeniser of that name do. Words may be separated
// by more than one space. The text must be UTF-8.
std::string tokenize_tercom(std::string_view text, const TercomOptions& options);

}  // namespace pentaglot
