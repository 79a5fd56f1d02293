#include "corpus/text.hpp"

#include <string>

#include "base/error.hpp"

namespace pentaglot {

Text::Text(std::span<const WordId> tokens, std::span<const std::uint64_t> offsets)
    : tokens_(tokens), offsets_(offsets) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != tokens.size()) {
        throw Error("the text's sentence offsets do not fit its " + std::to_string(tokens.size()) + " tokens");
    }
    for (std::size_t sentence = 0; sentence + 1 < offsets.size(); ++sentence) {
        // Ordered and within bounds: every offset is above the one before it and, by induction from the back, not above
        // the last.
        if (offsets[sentence + 1] <= offsets[sentence] || offsets[sentence + 1] > tokens.size() ||
            tokens[offsets[sentence + 1] - 1] != SpecialWord::end) {
            throw Error("sentence " + std::to_string(sentence + 1) + " of the text has no proper end");
        }
    }
}

void TextBuilder::end_sentence() {
    tokens_.push_back(SpecialWord::end);
    offsets_.push_back(tokens_.size());
}

void TextBuilder::lines(std::string_view text) {
    std::size_t begin = 0;
    bool open = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c != ' ' && c != '\t' && c != '\n') continue;
        if (at > begin) word(text.substr(begin, at - begin));
        begin = at + 1;
        open = c != '\n';
        if (c == '\n') end_sentence();
    }
    if (begin < text.size()) word(text.substr(begin));
    if (begin < text.size() || open) end_sentence();
}

}  // namespace pentaglot
