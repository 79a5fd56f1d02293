#include <array>
#include <charconv>

#include "base/error.hpp"
#include "lm/arpa.hpp"

namespace pentaglot::lm {

namespace {

void append_number(std::string& text, float value) {
    std::array<char, 96> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed).ptr;
    text.append(digits.data(), end);
}

bool writable(std::string_view word) {
    return !word.empty() && word.find_first_of(" \t\n\r") == std::string_view::npos && word != "<s>" &&
           word != "</s>" && word != "<unk>" && word != "<UNK>";
}

}  // namespace

std::string section_title(std::size_t length) {
    std::string title("\\");
    return title.append(std::to_string(length)).append("-grams:");
}

std::string arpa_header(const NGrams& ngrams, const Vocabulary& vocabulary) {
    for (WordId id = SpecialWord::first_word; id < vocabulary.size(); ++id) {
        if (!writable(vocabulary.word(id))) {
            throw Error("the word '" + std::string(vocabulary.word(id)) + "' cannot be written to an ARPA file");
        }
    }
    std::string text = "\\data\\\n";
    for (std::size_t n = 0; n < ngrams.levels.size(); ++n) {
        const std::size_t count = ngrams.levels[n].size() - (n == 0 ? 1 : 0);  // without the null word
        text += "ngram " + std::to_string(n + 1) + "=" + std::to_string(count) + "\n";
    }
    return text + "\n";
}

std::string arpa_lines(const NGrams& ngrams, const Vocabulary& vocabulary, unsigned length, std::size_t begin,
                       std::size_t end) {
    const Level& level = ngrams.levels.at(length - 1);
    std::string text;
    if (begin == 0) text = section_title(length) + "\n";
    std::array<WordId, max_order> words{};
    for (std::size_t i = begin; i < end; ++i) {
        if (length == 1 && i == SpecialWord::null) continue;
        append_number(text, level.log_probability[i]);
        ngrams.spell(length, i, words.data());
        for (unsigned w = 0; w < length; ++w) {
            text += w == 0 ? '\t' : ' ';
            text += vocabulary.word(words[w]);
        }
        if (!level.backoff.empty()) {
            text += '\t';
            append_number(text, level.backoff[i]);
        }
        text += '\n';
    }
    if (end == level.size()) text += '\n';
    return text;
}

}  // namespace pentaglot::lm
