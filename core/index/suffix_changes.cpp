#include "index/suffix_changes.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "index/suffix_array.hpp"

namespace pentaglot {

namespace {

// The suffixes of some sentences by their words up to the end of the sentence, then by position: as if all closing ids
// were different. Linear time, even for a sentence of one word repeated.
std::vector<std::uint32_t> sorted_by_sentence(std::span<const WordId> tokens) {
    const auto ends = static_cast<WordId>(std::count(tokens.begin(), tokens.end(), SpecialWord::end));
    std::vector<WordId> told_apart(tokens.begin(), tokens.end());
    WordId closed = 0;
    for (WordId& id : told_apart) {
        if (id == SpecialWord::end) {
            id += closed++;
        } else if (id > SpecialWord::end) {
            id += ends;
        }
    }
    return build_suffix_array(told_apart);
}

}  // namespace

std::vector<std::uint32_t> add_suffixes(std::span<const WordId> tokens, std::span<const std::uint32_t> suffixes) {
    const std::size_t size = tokens.size();
    if (suffixes.size() > size || size >= (std::size_t{1} << 31))
        throw Error("the suffixes do not belong to this text");
    if (size > 0 && tokens.back() != SpecialWord::end) throw Error("the text does not end with a sentence");
    for (const auto position : suffixes) {
        if (position >= suffixes.size()) throw Error("the suffixes do not belong to this text");
    }
    const auto before = [&](std::uint32_t one, std::uint32_t other) {
        for (std::size_t depth = 0;; ++depth) {  // ends at the end of a sentence: every text closes with one
            const WordId a = tokens[one + depth], b = tokens[other + depth];
            if (a != b) return a < b;
            if (a == SpecialWord::end) return one < other;
        }
    };
    const auto added = sorted_by_sentence(tokens.subspan(suffixes.size()));
    std::vector<std::uint32_t> merged(size);
    // Each new suffix finds its place by binary search; what lies between is copied.
    auto from = suffixes.begin();
    auto to = merged.begin();
    for (const auto place_added : added) {
        const auto position = static_cast<std::uint32_t>(suffixes.size() + place_added);
        const auto place =
            std::partition_point(from, suffixes.end(), [&](std::uint32_t old) { return before(old, position); });
        to = std::copy(from, place, to);
        from = place;
        *to++ = position;
    }
    std::copy(from, suffixes.end(), to);
    return merged;
}

std::vector<std::uint32_t> remove_suffixes(std::span<const std::uint32_t> suffixes, std::uint32_t begin,
                                           std::uint32_t end) {
    if (begin > end || end > suffixes.size()) throw Error("a sentence to remove is not in the text");
    std::vector<std::uint32_t> kept;
    kept.reserve(suffixes.size() - (end - begin));
    for (const auto position : suffixes) {
        if (position < begin) {
            kept.push_back(position);
        } else if (position >= end) {
            kept.push_back(position - (end - begin));
        }
    }
    return kept;
}

}  // namespace pentaglot
