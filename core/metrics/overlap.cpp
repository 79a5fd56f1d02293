#include "metrics/overlap.hpp"

#include <algorithm>
#include <bit>

#include "base/listening.hpp"
#include "metrics/characters.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t most_pairs = 4'000'000;

// How many elements two sorted lists have in common, each as often as the one that has it less often.
std::size_t common(std::span<const std::uint64_t> one, std::span<const std::uint64_t> other) {
    std::size_t found = 0;
    for (std::size_t i = 0, j = 0; i < one.size() && j < other.size();) {
        if (one[i] == other[j]) {
            ++found, ++i, ++j;
        } else if (one[i] < other[j]) {
            ++i;
        } else {
            ++j;
        }
    }
    return found;
}

// The same for n-grams: compares what is above `shift` in each sorted key; n-grams whose last unit (in `mask`) is 0
// reach beyond the end of the text and do not count.
std::size_t common_beginnings(std::span<const std::uint64_t> one, std::span<const std::uint64_t> other, unsigned shift,
                              std::uint64_t mask) {
    std::size_t found = 0;
    for (std::size_t i = 0, j = 0; i < one.size() && j < other.size();) {
        const std::uint64_t a = one[i] >> shift, b = other[j] >> shift;
        if (a == b) {
            found += (a & mask) != 0;
            ++i, ++j;
        } else if (a < b) {
            ++i;
        } else {
            ++j;
        }
    }
    return found;
}

unsigned bits_for(std::size_t distinct) {
    return std::max(1U, static_cast<unsigned>(std::bit_width(distinct)));
}

}  // namespace

void OverlapCounter::number_letters(bool cut) {
    alphabet_.clear();
    for (const Side& side : sides_) alphabet_.insert(alphabet_.end(), side.characters.begin(), side.characters.end());
    std::sort(alphabet_.begin(), alphabet_.end());
    alphabet_.erase(std::unique(alphabet_.begin(), alphabet_.end()), alphabet_.end());
    distinct_letters_ = static_cast<std::uint32_t>(alphabet_.size());
    for (Side& side : sides_) {
        side.letters.clear();
        const auto& all = side.characters;
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (cut && all[at] == U' ' && spells_without_spaces(all[at - 1]) && spells_without_spaces(all[at + 1]))
                continue;
            const auto found = std::lower_bound(alphabet_.begin(), alphabet_.end(), all[at]);
            side.letters.push_back(static_cast<std::uint32_t>(found - alphabet_.begin()));
        }
    }
}

// Gives the keys of both sides small numbers, equal ones to equal keys.
void OverlapCounter::rename_keys() {
    known_.clear();
    for (const Side& side : sides_) known_.insert(known_.end(), side.keys.begin(), side.keys.end());
    std::sort(known_.begin(), known_.end());
    known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
    for (Side& side : sides_) {
        for (std::uint64_t& key : side.keys)
            key = static_cast<std::uint64_t>(std::lower_bound(known_.begin(), known_.end(), key) - known_.begin());
    }
}

void OverlapCounter::compare(double* row) {
    for (Side& side : sides_) {
        side.sorted = side.keys;
        std::sort(side.sorted.begin(), side.sorted.end());
    }
    row[0] = static_cast<double>(common(sides_[0].sorted, sides_[1].sorted));
    row[1] = static_cast<double>(sides_[0].sorted.size());
    row[2] = static_cast<double>(sides_[1].sorted.size());
}

// If the longest n-grams fit into a key, the key of a place holds the longest n-gram there, with zeros beyond the end
// of the text. Sorting by these keys sorts n-grams of every order.
template <typename Units>
void OverlapCounter::count_packed(Units units, unsigned bits, Overlaps::Wanted wanted, double* row) {
    const auto orders = static_cast<unsigned>(std::bit_width(wanted));
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    for (Side& side : sides_) {
        const std::span<const std::uint32_t> all = units(side);
        side.sorted.resize(all.size());
        std::uint64_t key = 0;
        for (std::size_t at = all.size(); at-- > 0;) {
            key = (key >> bits) | ((std::uint64_t{all[at]} + 1) << (bits * (orders - 1)));
            side.sorted[at] = key;
        }
        std::sort(side.sorted.begin(), side.sorted.end());
    }
    for (unsigned order = 1; order <= orders; ++order, row += 3) {
        if ((wanted >> (order - 1) & 1U) == 0) continue;
        row[0] =
            static_cast<double>(common_beginnings(sides_[0].sorted, sides_[1].sorted, bits * (orders - order), mask));
        for (std::size_t which = 0; which < 2; ++which) {
            const std::size_t size = sides_[which].sorted.size();
            row[1 + which] = static_cast<double>(size >= order ? size - order + 1 : 0);
        }
    }
}

// An n-gram's key is that of the n-gram without its last unit, followed by that unit. When there is no more room, the
// keys so far are renumbered, so that they still tell n-grams apart exactly.
template <typename Units>
void OverlapCounter::count_ngrams(Units units, std::uint32_t distinct, Overlaps::Wanted wanted, double* row) {
    const unsigned bits = bits_for(distinct);
    const auto orders = static_cast<std::size_t>(std::bit_width(wanted));
    if (orders == 0) return;
    if (orders * bits <= 64) return count_packed(units, bits, wanted, row);
    unsigned used = 0;
    for (Side& side : sides_) side.keys.assign(units(side).size(), 0);
    for (std::size_t order = 1; order <= orders; ++order) {
        listen();
        if (used + bits > 64) {
            rename_keys();
            used = bits_for(known_.size());
        }
        for (Side& side : sides_) {
            const std::span<const std::uint32_t> all = units(side);
            side.keys.resize(all.size() >= order ? all.size() - order + 1 : 0);
            for (std::size_t at = 0; at < side.keys.size(); ++at)
                side.keys[at] = (side.keys[at] << bits) | all[at + order - 1];
        }
        used += bits;
        if ((wanted >> (order - 1) & 1U) != 0) compare(row + 3 * (order - 1));
    }
}

void OverlapCounter::count_anchored(const double* plain, double* row) const {
    const auto &one = sides_[0].words, &other = sides_[1].words;
    for (std::size_t order = 1; order <= Overlaps::anchored; ++order, plain += 3, row += 3) {
        const bool both = one.size() >= order && other.size() >= order;
        const auto length = static_cast<std::ptrdiff_t>(order);
        double same = 0;
        if (both && std::equal(one.begin(), one.begin() + length, other.begin())) ++same;
        if (both && std::equal(one.end() - length, one.end(), other.end() - length)) ++same;
        row[0] = plain[0] + same;
        row[1] = plain[1] + (one.size() >= order ? 2 : 0);
        row[2] = plain[2] + (other.size() >= order ? 2 : 0);
    }
}

void OverlapCounter::count_skips(std::uint32_t distinct, Overlaps::Wanted wanted, double* row) {
    const unsigned bits = bits_for(distinct);
    const std::size_t longest = std::max<std::size_t>({1, sides_[0].words.size(), sides_[1].words.size()});
    const std::size_t any =
        std::max<std::size_t>(Overlaps::skips, longest * longest / 2 <= most_pairs ? longest : most_pairs / longest);
    for (std::size_t kind = 0; kind < Overlaps::skips; ++kind) {
        if ((wanted >> kind & 1U) == 0) continue;
        listen();
        const std::size_t furthest = kind + 1 < Overlaps::skips ? kind + 2 : any;
        for (Side& side : sides_) {
            side.keys.clear();
            for (std::size_t at = 0; at < side.words.size(); ++at) {
                const std::size_t end = std::min(side.words.size(), at + furthest + 1);
                for (std::size_t next = at + 1; next < end; ++next)
                    side.keys.push_back((std::uint64_t{side.words[at]} << bits) | side.words[next]);
            }
        }
        compare(row + 3 * kind);
    }
}

Overlaps::Row OverlapCounter::count(std::string_view one, std::string_view other, bool cut, Overlaps::Wanted wanted) {
    const auto part = [&](std::size_t first, std::size_t kinds) {
        return (wanted >> first) & ((Overlaps::Wanted{1} << kinds) - 1);
    };
    constexpr std::size_t words = Overlaps::characters, anchored = words + Overlaps::words,
                          skips = anchored + Overlaps::anchored;
    sides_[0].read(one, cut);
    sides_[1].read(other, cut);
    distinct_words_ = numbering_.assign(sides_[0], sides_[1], sides_[0].words, sides_[1].words);
    number_letters(cut);
    Overlaps::Row row{};
    count_ngrams([](const Side& side) { return std::span(side.letters); }, distinct_letters_,
                 part(0, Overlaps::characters), row.data());
    // Anchored n-grams are counted on top of plain ones, so these are needed for both.
    count_ngrams([](const Side& side) { return std::span(side.words); }, distinct_words_,
                 part(words, Overlaps::words) | part(anchored, Overlaps::anchored), row.data() + 3 * words);
    if (part(anchored, Overlaps::anchored) != 0) count_anchored(row.data() + 3 * words, row.data() + 3 * anchored);
    count_skips(distinct_words_, part(skips, Overlaps::skips), row.data() + 3 * skips);
    double* at = row.data() + 3 * Overlaps::kinds;
    if (part(Overlaps::kinds, 1) != 0)
        at[0] = static_cast<double>(edits_.of(sides_[0].letters, sides_[1].letters, distinct_letters_));
    if (part(Overlaps::kinds + 1, 1) != 0)
        at[1] = static_cast<double>(edits_.of(sides_[0].words, sides_[1].words, distinct_words_));
    at += Overlaps::edits;
    for (const Side& side : sides_) *at++ = static_cast<double>(side.words.size());
    for (const Side& side : sides_) *at++ = static_cast<double>(side.letters.size());
    return row;
}

}  // namespace pentaglot
