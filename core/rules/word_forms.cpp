#include "rules/word_forms.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

std::size_t common_beginning(Letters one, Letters other) {
    return static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

}  // namespace

WordForms::WordForms(Letters letters, std::span<const std::uint64_t> offsets, std::span<const std::uint8_t> traits,
                     WordId first)
    : first_(first) {
    append(letters, offsets, traits);
}

WordForms WordForms::extended(Letters letters, std::span<const std::uint64_t> offsets,
                              std::span<const std::uint8_t> traits) const {
    WordForms longer = *this;
    longer.append(letters, offsets, traits);
    return longer;
}

void WordForms::append(Letters letters, std::span<const std::uint64_t> offsets, std::span<const std::uint8_t> traits) {
    if (offsets.size() != traits.size() + 1 || offsets.front() != 0 || offsets.back() != letters.size() ||
        !std::ranges::is_sorted(offsets))
        throw Error("the spellings of words do not fit together");
    if (std::size_t{first_} + size() + traits.size() > UINT32_MAX) throw Error("a vocabulary has at most 2^32 words");
    const std::size_t known = size(), ordered = order_.size(), before = letters_.size();
    letters_.insert(letters_.end(), letters.begin(), letters.end());
    traits_.insert(traits_.end(), traits.begin(), traits.end());
    for (const std::uint64_t offset : offsets.subspan(1)) offsets_.push_back(before + offset);
    for (std::size_t number = known; number < size(); ++number) {
        if (offsets_[number] < offsets_[number + 1]) order_.push_back(static_cast<std::uint32_t>(number));
    }
    std::size_t steps = 0;
    const auto earlier = [&](std::uint32_t one, std::uint32_t other) {
        listen_at(++steps);
        const Letters first = letters_of(one), second = letters_of(other);
        const auto order =
            std::lexicographical_compare_three_way(first.begin(), first.end(), second.begin(), second.end());
        return order != 0 ? order < 0 : one < other;
    };
    const auto middle = order_.begin() + static_cast<std::ptrdiff_t>(ordered);
    std::sort(middle, order_.end(), earlier);
    std::inplace_merge(order_.begin(), middle, order_.end(), earlier);
}

std::pair<std::size_t, std::size_t> WordForms::range(Letters beginning, bool whole) const {
    const auto less = [&](std::uint32_t number, bool or_equal) {
        const Letters all = letters_of(number);
        const Letters compared = whole ? all : all.first(std::min(all.size(), beginning.size()));
        const auto order = std::lexicographical_compare_three_way(compared.begin(), compared.end(), beginning.begin(),
                                                                  beginning.end());
        return or_equal ? order <= 0 : order < 0;
    };
    const auto begin = std::partition_point(order_.begin(), order_.end(), [&](auto each) { return less(each, false); });
    const auto end = std::partition_point(begin, order_.end(), [&](auto each) { return less(each, true); });
    return {static_cast<std::size_t>(begin - order_.begin()), static_cast<std::size_t>(end - order_.begin())};
}

std::vector<WordId> WordForms::alike(const SpeltWord& word, std::span<const std::uint64_t> counts) const {
    std::vector<WordId> found;
    if (word.letters.empty()) return found;
    const auto [begin, end] = range(word.letters, true);
    for (std::size_t at = begin; at < end; ++at) {
        listen_at(at);
        if (agrees(order_[at], word) && count(order_[at], counts) > 0) found.push_back(first_ + order_[at]);
    }
    std::ranges::stable_sort(found, [&](WordId one, WordId other) { return counts[one] > counts[other]; });
    return found;
}

std::vector<WordForms::Form> WordForms::near(const SpeltWord& word, std::span<const std::uint64_t> counts,
                                             const NearLimits& limits) const {
    std::vector<Form> found;
    const std::size_t least = std::max<std::size_t>({limits.letters, (word.letters.size() + 1) / 2, 1});
    if (word.letters.size() < least) return found;
    const auto [begin, end] = range(word.letters.first(least), false);
    for (std::size_t at = begin; at < end; ++at) {
        listen_at(at);
        if (!agrees(order_[at], word) || count(order_[at], counts) == 0) continue;
        const Letters other = letters_of(order_[at]);
        const auto shared = static_cast<float>(2 * common_beginning(word.letters, other));
        const float likeness = shared / static_cast<float>(word.letters.size() + other.size());
        if (likeness >= limits.least) found.push_back({first_ + order_[at], likeness});
    }
    const auto better = [&](const Form& one, const Form& other) {
        if (one.likeness != other.likeness) return one.likeness > other.likeness;
        if (counts[one.word] != counts[other.word]) return counts[one.word] > counts[other.word];
        return one.word < other.word;
    };
    const auto kept = std::min<std::size_t>(limits.most, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(), better);
    found.resize(kept);
    std::erase_if(found, [&, best = found.empty() ? 0.0F : found.front().likeness](const Form& form) {
        return form.likeness < best - limits.band;
    });
    return found;
}

std::vector<WordId> WordForms::split(const SpeltWord& word, std::span<const std::uint64_t> counts,
                                     const SplitLimits& limits) const {
    const std::size_t size = word.letters.size(), shortest = std::max<std::size_t>(limits.letters, 1);
    if (size > limits.longest || size < 2 * shortest) return {};
    // The best way to come to a place with some number of parts.
    struct Way {
        double sum = -1;  // of the logarithms of counts; below 0: there is no way yet
        WordId last = 0;
        std::size_t from = 0;
    };
    std::vector<std::vector<Way>> ways(limits.parts + std::size_t{1}, std::vector<Way>(size + 1));
    ways[0][0].sum = 0;
    for (std::size_t begin = 0; begin + shortest <= size; ++begin) {
        if (std::ranges::none_of(ways, [&](const auto& row) { return row[begin].sum >= 0; })) continue;
        for (std::size_t end = begin + shortest; end <= size; ++end) {
            listen();
            SpeltWord part{word.letters.subspan(begin, end - begin), word.traits, word.heeded};
            const auto known = alike(part, counts);
            if (known.empty() || counts[known.front()] < limits.seen) continue;
            const double value = std::log(static_cast<double>(counts[known.front()]));
            for (std::size_t parts = 0; parts < limits.parts; ++parts) {
                if (ways[parts][begin].sum < 0) continue;
                const double sum = ways[parts][begin].sum + value;
                for (std::size_t next = end; next <= std::min(size, end + limits.between); ++next) {
                    // Another part follows, or nothing at all.
                    const bool good = next + shortest <= size || (next == size && next == end);
                    if (good && sum > ways[parts + 1][next].sum) ways[parts + 1][next] = {sum, known.front(), begin};
                }
            }
        }
    }
    std::size_t best = 0;
    double mean = -1;
    for (std::size_t parts = 2; parts <= limits.parts; ++parts) {
        const double here = ways[parts][size].sum / static_cast<double>(parts);
        if (ways[parts][size].sum >= 0 && here > mean) std::tie(best, mean) = std::pair(parts, here);
    }
    std::vector<WordId> found(best);
    for (std::size_t at = size; best > 0; --best) {
        found[best - 1] = ways[best][at].last;
        at = ways[best][at].from;
    }
    return found;
}

}  // namespace pentaglot
