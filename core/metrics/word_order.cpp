#include "metrics/word_order.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace pentaglot {

std::array<double, WordOrder::size> WordOrder::row() const {
    std::array<double, size> found{words,
                                   reference_words,
                                   equal,
                                   stems,
                                   similar,
                                   chunks,
                                   function_words,
                                   reference_function_words,
                                   equal_function_words,
                                   function_stems,
                                   units};
    std::ranges::copy(order.row(), found.end() - OrderMeasures::size);
    return found;
}

bool WordOrderCounter::is_function(std::size_t side, std::size_t word) const {
    const auto letters = texts_[side].word(word);
    return options_.function_words.contains(std::u32string(letters.begin(), letters.end()));
}

std::vector<Position> WordOrderCounter::ranks() const {
    std::vector<Position> source, target;
    const auto links = matches_.reference_links();
    for (std::size_t unit = 0; unit < links.size(); ++unit) {
        if (links[unit] == WordMatches::none) continue;
        source.push_back(static_cast<Position>(options_.unmatched == Unmatched::ignore ? source.size() : unit));
        target.push_back(static_cast<Position>(links[unit]));
    }
    if (source.empty()) return {};
    const std::size_t units = options_.unmatched == Unmatched::ignore ? source.size() : links.size();
    const Side attach = options_.unmatched == Unmatched::left ? Side::left : Side::right;
    return word_ranks(units, {source, target, {}}, Pick::leftmost, attach);
}

void WordOrderCounter::count_functions(WordOrder& found, std::size_t side) const {
    if (options_.function_words.empty()) return;
    double& counted = side == 0 ? found.function_words : found.reference_function_words;
    for (std::size_t word = 0; word < texts_[side].size(); ++word) {
        if (!is_function(side, word)) continue;
        counted += 1;
        const std::uint32_t link = side == 0 ? matches_.links()[word] : WordMatches::none;
        if (link == WordMatches::none || !is_function(1, link)) continue;
        const auto one = texts_[0].word(word), other = texts_[1].word(link);
        (std::ranges::equal(one, other) ? found.equal_function_words : found.function_stems) += 1;
    }
}

WordOrder WordOrderCounter::count(std::string_view text, std::string_view reference, std::string_view stems,
                                  std::string_view reference_stems, bool stem) {
    texts_[0].read(text, options_.cut);
    texts_[1].read(reference, options_.cut);
    constexpr std::size_t longest = 65'534;
    if (std::max(texts_[0].size(), texts_[1].size()) > longest)
        throw Error("a segment has more than " + std::to_string(longest) + " words");
    matches_.assign(texts_[0].size(), texts_[1].size());
    WordOrder found;
    numbering_.assign(texts_[0], texts_[1], numbers_[0], numbers_[1]);
    matches_.link_equal(numbers_[0], numbers_[1]);
    found.equal = static_cast<double>(matches_.count());
    if (stem) {
        stems_[0].read(stems, false);
        stems_[1].read(reference_stems, false);
        if (stems_[0].size() != texts_[0].size() || stems_[1].size() != texts_[1].size())
            throw Error("a text has another number of stems than of words");
        numbering_.assign(stems_[0], stems_[1], numbers_[0], numbers_[1]);
        matches_.link_equal(numbers_[0], numbers_[1]);
    }
    found.stems = static_cast<double>(matches_.count()) - found.equal;
    if (options_.similar > 0) matches_.link_similar(texts_[0], texts_[1], options_.similar);
    found.similar = static_cast<double>(matches_.count()) - found.equal - found.stems;
    found.chunks = static_cast<double>(matches_.chunks());
    for (std::size_t side = 0; side < 2; ++side) count_functions(found, side);
    found.words = static_cast<double>(texts_[0].size());
    found.reference_words = static_cast<double>(texts_[1].size());
    const std::vector<Position> permutation = ranks();
    found.units = static_cast<double>(permutation.size());
    found.order = order_measures(permutation, options_.beta, options_.uniform);
    return found;
}

}  // namespace pentaglot
