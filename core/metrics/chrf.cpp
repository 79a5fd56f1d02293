#include "metrics/chrf.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace pentaglot {

namespace {

bool is_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// One punctuation mark is split off a word of more than one character, at its end or else at its beginning.
void add_word(std::string_view word, std::vector<std::string_view>& words) {
    const bool one = character_at(word, 0).size == word.size();
    if (!one && is_punctuation(word.back())) {
        words.push_back(word.substr(0, word.size() - 1));
        words.push_back(word.substr(word.size() - 1));
    } else if (!one && is_punctuation(word.front())) {
        words.push_back(word.substr(0, 1));
        words.push_back(word.substr(1));
    } else {
        words.push_back(word);
    }
}

// How many n-grams of an order a text has.
double count(std::size_t symbols, std::size_t order) {
    return symbols < order ? 0.0 : static_cast<double>(symbols - order + 1);
}

}  // namespace

void ChrfReferences::read(std::string_view text) {
    characters_.clear();
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t space = options_.whitespace ? 0 : space_at(text, at); space > 0) {
            at += space;
            continue;
        }
        const auto [code, size] = character_at(text, at);
        characters_.push_back(code);
        at += size;
    }
    words_.clear();
    if (options_.word_order == 0) return;
    split_words(text, parts_);
    for (const std::string_view word : parts_) add_word(word, words_);
}

void ChrfReferences::assign(std::span<const std::string_view> references) {
    std::size_t bound = 0;
    for (const std::string_view text : references) bound += text.size() + 1;
    if (options_.word_order > 0) numbers_.assign(bound);
    references_.resize(references.size());
    for (std::size_t which = 0; which < references.size(); ++which) {
        Reference& reference = references_[which];
        read(references[which]);
        reference.character_count = characters_.size();
        reference.characters.assign(options_.character_order, characters_.size());
        reference.characters.add(characters_);
        reference.word_count = words_.size();
        reference.words.assign(options_.word_order, words_.size());
        ids_.clear();
        for (const std::string_view word : words_) ids_.push_back(numbers_.add(word));
        reference.words.add(ids_);
    }
}

// In the same order of arithmetic as sacrebleu, so that the same one of two references with equal scores is chosen.
double ChrfReferences::f_score(std::span<const double> row) const {
    double precision = 0, recall = 0, orders = 0;
    for (std::size_t at = 0; at < row.size(); at += 3) {
        if (row[at] == 0 || row[at + 1] == 0) continue;
        precision += row[at + 2] / row[at];
        recall += row[at + 2] / row[at + 1];
        orders += 1;
    }
    if (orders == 0) return 0;
    precision /= orders;
    recall /= orders;
    if (precision + recall == 0) return 0;
    const double factor = options_.beta * options_.beta;
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

void ChrfReferences::statistics(std::string_view hypothesis, std::span<double> row) {
    read(hypothesis);
    ids_.clear();
    for (const std::string_view word : words_) ids_.push_back(numbers_.find(word));
    row_.resize(row.size());
    double best = -1;
    for (Reference& reference : references_) {
        matched_.assign(options_.character_order + options_.word_order, 0.0);
        const std::span matched(matched_);
        reference.characters.match(characters_, matched.first(options_.character_order));
        reference.words.match(ids_, matched.subspan(options_.character_order));
        for (std::size_t at = 0; at < matched.size(); ++at) {
            const bool of_words = at >= options_.character_order;
            const std::size_t order = of_words ? at - options_.character_order + 1 : at + 1;
            const double wanted = count(of_words ? reference.word_count : reference.character_count, order);
            // If the reference has no n-grams of an order, sacrebleu counts none for the hypothesis either.
            row_[3 * at] = wanted > 0 ? count(of_words ? ids_.size() : characters_.size(), order) : 0.0;
            row_[3 * at + 1] = wanted;
            row_[3 * at + 2] = matched[at];
        }
        const double score = f_score(row_);
        if (score > best) {
            best = score;
            std::copy(row_.begin(), row_.end(), row.begin());
        }
    }
}

}  // namespace pentaglot
