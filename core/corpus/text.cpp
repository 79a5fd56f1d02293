#include "corpus/text.hpp"

#include <string>

#include "base/error.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t words_at_once = 256;

}  // namespace

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
    // Some lines at a time, so that words are looked up together and are still in the processor's cache.
    std::vector<std::string_view> found;
    std::vector<std::size_t> ends;  // of lines, as numbers of words
    const auto look_up = [&] {
        ids_.clear();
        vocabulary_.add_all(found, closed_, ids_);
        std::size_t done = 0;
        for (const std::size_t end : ends) {
            tokens_.insert(tokens_.end(), ids_.begin() + static_cast<std::ptrdiff_t>(done),
                           ids_.begin() + static_cast<std::ptrdiff_t>(end));
            end_sentence();
            done = end;
        }
        found.clear();
        ends.clear();
    };
    std::size_t begin = 0;
    bool open = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c > ' ' || (c != ' ' && c != '\t' && c != '\n')) continue;
        if (at > begin) found.push_back(text.substr(begin, at - begin));
        begin = at + 1;
        open = c != '\n';
        if (open) continue;
        ends.push_back(found.size());
        if (found.size() >= words_at_once) look_up();
    }
    if (begin < text.size()) found.push_back(text.substr(begin));
    if (begin < text.size() || open) ends.push_back(found.size());
    look_up();
}

}  // namespace pentaglot
