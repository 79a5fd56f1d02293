#include "lm/score_rows.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot::lm {

namespace {

void check(const ScoredText& scored) {
    const std::size_t tokens = scored.text.tokens().size();
    if (scored.log_probability.size() != tokens || scored.length.size() != tokens || scored.unknown.size() != tokens) {
        throw Error("there must be one score for each token of the text");
    }
}

void add_number(std::string& rows, std::uint64_t number, char after) {
    std::array<char, 24> shown;
    const auto end = std::to_chars(shown.data(), shown.data() + shown.size(), number).ptr;
    rows.append(shown.data(), end);
    rows += after;
}

// With six digits after the point.
void add_score(std::string& rows, double score) {
    std::array<char, 400> shown;  // enough for the largest number
    const auto end = std::to_chars(shown.data(), shown.data() + shown.size(), score, std::chars_format::fixed, 6).ptr;
    rows.append(shown.data(), end);
    rows += '\t';
}

}  // namespace

std::string sentence_rows(const ScoredText& scored) {
    check(scored);
    std::string rows;
    const auto offsets = scored.text.offsets();
    for (std::size_t sentence = 0; sentence < scored.text.size(); ++sentence) {
        listen_at<1024>(sentence);
        double total = 0.0;
        std::uint64_t unknown = 0;
        for (std::uint64_t at = offsets[sentence]; at < offsets[sentence + 1]; ++at) {
            total += scored.log_probability[at];
            unknown += scored.unknown[at] != 0 ? 1U : 0U;
        }
        add_score(rows, total);
        add_number(rows, offsets[sentence + 1] - offsets[sentence], '\t');
        add_number(rows, unknown, '\n');
    }
    return rows;
}

std::string word_rows(const ScoredText& scored, const Vocabulary& vocabulary, std::uint64_t first) {
    check(scored);
    std::string rows;
    const auto offsets = scored.text.offsets();
    for (std::size_t sentence = 0; sentence < scored.text.size(); ++sentence) {
        listen_at<1024>(sentence);
        for (std::uint64_t at = offsets[sentence]; at < offsets[sentence + 1]; ++at) {
            add_number(rows, first + sentence, '\t');
            rows += vocabulary.word(scored.text.tokens()[at]);
            rows += '\t';
            add_score(rows, scored.log_probability[at]);
            add_number(rows, scored.length[at], '\t');
            add_number(rows, scored.unknown[at] != 0 ? 1U : 0U, '\n');
        }
    }
    return rows;
}

}  // namespace pentaglot::lm
