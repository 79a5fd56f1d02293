#include "index/source_index.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace pentaglot {

SentenceNumbers::SentenceNumbers(std::span<const std::uint64_t> ends, std::span<const std::uint32_t> before,
                                 std::size_t tokens)
    : ends_(ends), before_(before) {
    // One block more than the tokens need if these fill all of theirs, so that the position after the last token is
    // valid.
    if (ends.size() != tokens / 64 + 1 || before.size() != ends.size()) {
        throw Error("the sentence marks do not belong to this text");
    }
}

SentenceMarks sentence_marks(std::span<const WordId> tokens) {
    SentenceMarks marks{std::vector<std::uint64_t>(tokens.size() / 64 + 1),
                        std::vector<std::uint32_t>(tokens.size() / 64 + 1)};
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at] == SpecialWord::end) marks.ends[at / 64] |= std::uint64_t{1} << (at % 64);
    }
    for (std::size_t block = 0; block + 1 < marks.ends.size(); ++block) {
        marks.before[block + 1] =
            marks.before[block] + static_cast<std::uint32_t>(__builtin_popcountll(marks.ends[block]));
    }
    return marks;
}

std::vector<std::uint32_t> first_ranks(std::span<const WordId> tokens) {
    const WordId largest = tokens.empty() ? 0 : *std::max_element(tokens.begin(), tokens.end());
    std::vector<std::uint32_t> ranks(std::size_t{largest} + 2);
    for (const WordId id : tokens) ++ranks[std::size_t{id} + 1];
    for (std::size_t id = 1; id < ranks.size(); ++id) ranks[id] += ranks[id - 1];
    return ranks;
}

SourceIndex::SourceIndex(Text text, std::span<const std::uint32_t> suffixes, std::span<const std::uint32_t> first_ranks,
                         SentenceNumbers sentences)
    : text_(text), suffixes_(suffixes), first_ranks_(first_ranks), sentences_(sentences) {
    if (suffixes.size() != text.tokens().size() || first_ranks.size() < 2 || first_ranks.back() != suffixes.size() ||
        !std::is_sorted(first_ranks.begin(), first_ranks.end())) {
        throw Error("the suffix array does not belong to this text");
    }
}

SuffixRange SourceIndex::find(WordId word) const {
    if (word < SpecialWord::first_word || word >= first_ranks_.size() - 1) return {};
    return {first_ranks_[word], first_ranks_[word + 1]};
}

SuffixRange SourceIndex::extend(SuffixRange range, std::size_t depth, WordId word) const {
    if (word < SpecialWord::first_word) return {};
    const auto tokens = text_.tokens();
    const auto symbol_at = [&](std::uint32_t position) -> std::uint64_t {
        const std::size_t at = std::size_t{position} + depth;
        return at < tokens.size() ? std::uint64_t{tokens[at]} + 1 : 0;  // the end of the text comes before any word
    };
    const auto first = suffixes_.begin() + range.begin;
    const auto last = suffixes_.begin() + range.end;
    const std::uint64_t wanted = std::uint64_t{word} + 1;
    const auto from =
        std::partition_point(first, last, [&](std::uint32_t position) { return symbol_at(position) < wanted; });
    const auto to =
        std::partition_point(from, last, [&](std::uint32_t position) { return symbol_at(position) <= wanted; });
    return {static_cast<std::uint32_t>(from - suffixes_.begin()), static_cast<std::uint32_t>(to - suffixes_.begin())};
}

SuffixRange SourceIndex::find(std::span<const WordId> words) const {
    if (words.empty()) return {0, static_cast<std::uint32_t>(suffixes_.size())};
    SuffixRange range = find(words[0]);
    for (std::size_t depth = 1; depth < words.size() && !range.empty(); ++depth) {
        range = extend(range, depth, words[depth]);
    }
    return range;
}

}  // namespace pentaglot
