#include "index/suffix_array.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

using Position = std::uint32_t;
using Symbols = std::span<const std::uint32_t>;
using Ranks = std::span<Position>;

// The top bit of an entry says that the suffix before it is of the other type, so that a scan in one direction need
// not look at the text to know that it has nothing to do.
constexpr Position flag = Position{1} << 31;

// How far ahead of a scan the text and the buckets are prefetched. Without it, 30 M tokens take 10 to 20 % longer; 16
// to 64 make no difference.
constexpr std::size_t ahead = 32;

struct Buckets {
    std::vector<Position> begin;  // where each symbol's suffixes begin; one more for the end
    std::vector<Position> next;   // scratch: the next free slot of each symbol

    Buckets(Symbols text, std::size_t alphabet) : begin(alphabet + 1), next(alphabet) {
        for (const auto symbol : text) ++begin[symbol + 1];
        for (std::size_t symbol = 0; symbol < alphabet; ++symbol) begin[symbol + 1] += begin[symbol];
    }
    void at_fronts() { std::copy(begin.begin(), begin.end() - 1, next.begin()); }
    void at_ends() { std::copy(begin.begin() + 1, begin.end(), next.begin()); }
};

// Calls visit(position) for every left-most S-type position, from the last to the first.
template <typename Visit>
void for_each_leftmost(Symbols text, const Visit& visit) {
    const std::size_t size = text.size();
    bool smaller =
        false;  // whether the suffix at `at` is smaller than the one after it; the last is not, as nothing follows it
    for (std::size_t at = size - 1; at > 0; --at) {
        listen_at(at);
        const bool before_smaller = text[at - 1] < text[at] || (text[at - 1] == text[at] && smaller);
        if (smaller && !before_smaller) visit(static_cast<Position>(at));
        smaller = before_smaller;
    }
}

inline void fetch(Symbols text, Ranks ranks, const Position* next, std::size_t far, std::size_t near) {
    if (far < ranks.size()) {
        const Position at = ranks[far] & ~flag;
        __builtin_prefetch(text.data() + (at > 1 ? at - 2 : 0));
    }
    if (near < ranks.size()) {
        const Position entry = ranks[near];
        if ((entry & flag) == 0 && entry > 0) __builtin_prefetch(next + text[entry - 1], 1);
    }
}

// From the sorted left-most S-type suffixes, sorts the L-type ones, scanning up. With `keep`, entries that have been
// used stay (their flag set); otherwise only the left-most L-type suffixes remain.
template <bool keep>
void induce_up(Symbols text, Buckets& buckets, Ranks ranks) {
    const std::size_t size = text.size();
    buckets.at_fronts();
    Position* const next = buckets.next.data();
    const auto last = static_cast<Position>(size - 1);
    ranks[next[text[last]]++] = last | (last > 0 && text[last - 1] < text[last] ? flag : 0);
    for (std::size_t rank = 0; rank < size; ++rank) {
        listen_at(rank);
        fetch(text, ranks, next, rank + 2 * ahead, rank + ahead);
        const Position entry = ranks[rank];
        if constexpr (keep) ranks[rank] = entry ^ flag;
        if ((entry & flag) != 0) {
            if constexpr (!keep) ranks[rank] = entry ^ flag;
            continue;
        }
        if (entry == 0) continue;
        if constexpr (!keep) ranks[rank] = 0;
        const Position before = entry - 1;
        const auto symbol = text[before];
        const bool turns = before == 0 ? keep : text[before - 1] < symbol;
        ranks[next[symbol]++] = before | (turns ? flag : 0);
    }
}

// From the sorted L-type suffixes, sorts the S-type ones, scanning down. With `keep`, all suffixes are in place
// afterwards, without flags; otherwise only the left-most S-type suffixes remain, flagged.
template <bool keep>
void induce_down(Symbols text, Buckets& buckets, Ranks ranks) {
    buckets.at_ends();
    Position* const next = buckets.next.data();
    for (std::size_t rank = text.size(); rank-- > 0;) {
        listen_at(rank);
        fetch(text, ranks, next, rank - 2 * ahead, rank - ahead);  // below zero wraps around: out of range
        const Position entry = ranks[rank];
        if ((entry & flag) != 0) {
            if constexpr (keep) ranks[rank] = entry ^ flag;
            continue;
        }
        if (entry == 0) continue;
        if constexpr (!keep) ranks[rank] = 0;
        const Position before = entry - 1;
        const auto symbol = text[before];
        const bool turns = before == 0 ? keep : text[before - 1] > symbol;
        ranks[--next[symbol]] = before | (turns ? flag : 0);
    }
}

// One level of the construction: its text, and the left-most S-type positions that the next level's text stands for.
struct Level {
    std::vector<std::uint32_t> owned;  // empty for the given text
    Symbols text;
    std::size_t alphabet;
    std::vector<Position> leftmost;  // ascending
};

std::vector<Position> leftmost_positions(Symbols text) {
    std::vector<Position> found;
    for_each_leftmost(text, [&](Position at) { found.push_back(at); });
    std::reverse(found.begin(), found.end());
    return found;
}

// Sorts the substrings from one left-most position to the next; they end up flagged, in order, in `ranks`.
void sort_substrings(const Level& level, Buckets& buckets, Ranks ranks) {
    std::fill(ranks.begin(), ranks.end(), 0);
    buckets.at_ends();
    for (const Position at : level.leftmost) ranks[--buckets.next[level.text[at]]] = at;
    induce_up<false>(level.text, buckets, ranks);
    induce_down<false>(level.text, buckets, ranks);
}

// Names the substrings by their order, equal ones alike, and returns the text of names: the next level.
Level name_substrings(const Level& level, Ranks ranks) {
    const Symbols text = level.text;
    const std::size_t count = level.leftmost.size();
    std::size_t sorted = 0;
    for (std::size_t rank = 0; rank < text.size(); ++rank) {
        if ((ranks[rank] & flag) != 0) ranks[sorted++] = ranks[rank] ^ flag;
    }
    // Left-most positions are at least two apart, so position / 2 tells them apart: lengths, then names, lie there.
    std::vector<std::uint32_t> slots(text.size() / 2 + 1);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t end = i + 1 < count ? level.leftmost[i + 1] + std::size_t{1} : text.size() + 1;
        slots[level.leftmost[i] / 2] = static_cast<std::uint32_t>(end - level.leftmost[i]);
    }
    std::uint32_t name = 0;
    Position previous = 0;
    std::uint32_t previous_length = 0;
    for (std::size_t i = 0; i < count; ++i) {
        listen_at(i);
        if (i + ahead < count) {
            __builtin_prefetch(slots.data() + ranks[i + ahead] / 2, 1);
            __builtin_prefetch(text.data() + ranks[i + ahead]);
        }
        const Position at = ranks[i];
        const std::uint32_t length = slots[at / 2];
        // The last substring reaches past the end of the text and equals no other.
        const bool equal = i > 0 && length == previous_length && at + std::size_t{length} <= text.size() &&
                           previous + std::size_t{length} <= text.size() &&
                           std::equal(text.begin() + at, text.begin() + at + length, text.begin() + previous);
        if (i > 0 && !equal) ++name;
        slots[at / 2] = name;
        previous = at;
        previous_length = length;
    }
    Level next;
    next.owned.resize(count);
    for (std::size_t i = 0; i < count; ++i) next.owned[i] = slots[level.leftmost[i] / 2];
    next.text = next.owned;
    next.alphabet = count == 0 ? 0 : std::size_t{name} + 1;
    return next;
}

// With the order of the level's left-most suffixes in ranks[0, leftmost), sorts all its suffixes.
void sort_suffixes(const Level& level, Buckets& buckets, Ranks ranks) {
    const std::size_t count = level.leftmost.size();
    std::fill(ranks.begin() + static_cast<std::ptrdiff_t>(count), ranks.end(), 0);
    buckets.at_ends();
    for (std::size_t i = count; i-- > 0;) {
        listen_at(i);
        if (i >= ahead) __builtin_prefetch(level.text.data() + ranks[i - ahead]);
        const Position at = ranks[i];
        ranks[i] = 0;
        ranks[--buckets.next[level.text[at]]] = at;
    }
    induce_up<true>(level.text, buckets, ranks);
    induce_down<true>(level.text, buckets, ranks);
}

}  // namespace

std::vector<std::uint32_t> build_suffix_array(std::span<const WordId> tokens) {
    if (tokens.size() >= flag) {
        throw Error("a text of " + std::to_string(tokens.size()) +
                    " tokens is too long for an index of 32-bit positions");
    }
    std::vector<Position> ranks(tokens.size());
    if (tokens.empty()) return ranks;
    const WordId largest = *std::max_element(tokens.begin(), tokens.end());

    std::vector<Level> levels(1);
    levels.back().text = tokens;
    levels.back().alphabet = std::size_t{largest} + 1;
    // Down: each level's text is at most half as long as the one above, until all names differ.
    while (true) {
        Level& level = levels.back();
        level.leftmost = leftmost_positions(level.text);
        const Ranks part(ranks.data(), level.text.size());
        Buckets buckets(level.text, level.alphabet);
        sort_substrings(level, buckets, part);
        Level next = name_substrings(level, part);
        if (next.alphabet == next.text.size()) break;  // ranks hold the left-most suffixes in order already
        levels.push_back(std::move(next));
        levels.back().text = levels.back().owned;
    }
    // Up: from the order of the reduced suffixes to that of all.
    for (std::size_t at = levels.size(); at-- > 0;) {
        Level& level = levels[at];
        const Ranks part(ranks.data(), level.text.size());
        if (at + 1 < levels.size()) {
            for (std::size_t i = 0; i < level.leftmost.size(); ++i) ranks[i] = level.leftmost[ranks[i]];
            levels.pop_back();
        }
        Buckets buckets(level.text, level.alphabet);
        sort_suffixes(level, buckets, part);
    }
    return ranks;
}

std::vector<std::uint32_t> longest_common_prefixes(std::span<const WordId> tokens,
                                                   std::span<const std::uint32_t> suffixes) {
    const std::size_t size = tokens.size();
    if (suffixes.size() != size) throw Error("the suffix array does not belong to this text");
    std::vector<std::uint32_t> shared(
        size);  // at first the suffix that comes before each one; then how many tokens they share
    constexpr auto none = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t rank = 0; rank < size; ++rank) {
        listen_at(rank);
        if (suffixes[rank] >= size) throw Error("the suffix array does not belong to this text");
        shared[suffixes[rank]] = rank == 0 ? none : suffixes[rank - 1];
    }
    std::size_t length = 0;
    for (std::size_t at = 0; at < size; ++at) {
        listen_at(at);
        if (at + ahead < size && shared[at + ahead] != none) __builtin_prefetch(tokens.data() + shared[at + ahead]);
        const std::uint32_t before = shared[at];
        if (before == none) {
            length = 0;
        } else {
            while (at + length < size && before + length < size && tokens[at + length] == tokens[before + length]) {
                ++length;
            }
        }
        shared[at] = static_cast<std::uint32_t>(length);
        if (length > 0) --length;
    }
    std::vector<std::uint32_t> by_rank(size);
    for (std::size_t rank = 0; rank < size; ++rank) {
        listen_at(rank);
        if (rank + ahead < size) __builtin_prefetch(shared.data() + suffixes[rank + ahead]);
        by_rank[rank] = shared[suffixes[rank]];
    }
    return by_rank;
}

}  // namespace pentaglot
