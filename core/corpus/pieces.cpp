#include "corpus/pieces.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "corpus/plain.hpp"

namespace pentaglot {

namespace {

constexpr auto plain_ascii = [] {
    std::array<bool, 128> plain{};
    for (std::uint32_t c = 0; c < plain.size(); ++c) plain[c] = is_plain(c);
    return plain;
}();

// Reads the character of two bytes or more that begins at `at` and moves past it; 0, which is not plain, if there is
// none.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(text[place]); };
    const unsigned lead = byte(at);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC0 || at + length > text.size()) return 0;
    std::uint32_t code = lead & (0x7FU >> length);
    for (std::size_t place = at + 1; place < at + length; ++place) code = (code << 6U) | (byte(place) & 0x3FU);
    at += length;
    return code;
}

}  // namespace

void SpeltSentences::word(std::string_view word) {
    bytes_ += word;
    word_ends_.push_back(bytes_.size());
}

void SpeltSentences::words(std::size_t sentence, std::vector<std::string_view>& words) const {
    words.clear();
    for (std::size_t word = sentence == 0 ? 0 : sentence_ends_[sentence - 1]; word < sentence_ends_[sentence]; ++word) {
        const std::size_t begin = word == 0 ? 0 : word_ends_[word - 1];
        words.emplace_back(bytes_.data() + begin, word_ends_[word] - begin);
    }
}

// Puts the pieces of a plain line into `cut_`; false for other lines.
bool PieceBuilder::cut(std::string_view line) {
    cut_.clear();
    if (line.empty()) return true;
    std::size_t begin = 0, at = 0;
    while (at < line.size()) {
        const auto c = static_cast<unsigned char>(line[at]);
        if (c == ' ') {
            if (at == begin) return false;
            cut_.push_back(line.substr(begin, at - begin));
            begin = ++at;
        } else if (c < 0x80) {
            if (!plain_ascii[c]) return false;
            ++at;
        } else if (!is_plain(next_character(line, at))) {
            return false;
        }
    }
    if (begin == line.size()) return false;
    cut_.push_back(line.substr(begin));
    return true;
}

PieceBuilder::Asked PieceBuilder::read(std::string_view lines) {
    if (!waiting_.empty()) throw Error("lines were read before the last ones were answered");
    const std::size_t known = pieces_.size();
    Asked asked;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        const std::string_view line = lines.substr(begin, end - begin);
        if (cut(line)) {
            pieces_.add_all(cut_, false, waiting_);
        } else {
            asked.lines.push_back(line);
            waiting_.push_back(whole_line);
        }
        waiting_.push_back(SpecialWord::end);
        begin = end + 1;
    }
    for (std::size_t piece = known; piece < pieces_.size(); ++piece) {
        asked.pieces.push_back(pieces_.word(static_cast<WordId>(piece)));
    }
    lines_asked_ = asked.lines.size();
    return asked;
}

void PieceBuilder::answer(const SpeltSentences& pieces, const SpeltSentences& lines) {
    const std::size_t known = known_.offsets().size() - 1;
    if (SpecialWord::first_word + known + pieces.size() != pieces_.size() || lines.size() != lines_asked_) {
        throw Error("the tokenizer gave the words of " + std::to_string(pieces.size() + lines.size()) +
                    " lines in place of " +
                    std::to_string(pieces_.size() - SpecialWord::first_word - known + lines_asked_));
    }
    std::vector<std::string_view> words;
    std::size_t line = 0;
    for (const WordId id : waiting_) {
        if (id == SpecialWord::end) {
            text_.end_sentence();
        } else if (id == whole_line) {
            lines.words(line++, words);
            text_.words(words);
        } else {
            const std::size_t piece = id - SpecialWord::first_word;
            // Pieces are numbered as they come, so the first that is not known is the next one.
            if (piece + 1 == known_.offsets().size()) {
                pieces.words(piece - known, words);
                known_.words(words);
                known_.end_sentence();
            }
            const std::span tokens(known_.tokens());
            const std::size_t begin = known_.offsets()[piece];
            const auto own = tokens.subspan(begin, known_.offsets()[piece + 1] - begin - 1);
            text_.tokens().insert(text_.tokens().end(), own.begin(), own.end());
        }
    }
    waiting_.clear();
}

}  // namespace pentaglot
