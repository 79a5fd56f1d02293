#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "index/precomputation.hpp"

namespace pentaglot {

// The numbers of the super-frequent words among the frequent sequences.
std::vector<std::uint32_t> super_frequent(std::span<const std::uint32_t> lengths, std::uint32_t most) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t number = 0; number < lengths.size() && numbers.size() < most; ++number) {
        if (lengths[number] == 1) numbers.push_back(number);
    }
    return numbers;
}

std::vector<std::uint32_t> numbers_among(std::span<const std::uint32_t> chosen, std::size_t all) {
    std::vector<std::uint32_t> numbers(all, Precomputed::none);
    for (std::uint32_t i = 0; i < chosen.size(); ++i) numbers[chosen[i]] = i;
    return numbers;
}

namespace {

void check_lists(std::span<const std::uint64_t> offsets, std::size_t lists, std::span<const std::uint32_t> positions,
                 std::uint32_t width, const char* what) {
    if (offsets.size() != lists + 1 || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
        positions.size() % width != 0 || offsets.back() != positions.size() / width) {
        throw Error(std::string("the precomputed lists of ") + what + " contradict each other");
    }
}

}  // namespace

Precomputed::Precomputed(const PrecomputationSettings& settings, const PrecomputedArrays& arrays)
    : settings_(settings), arrays_(arrays) {
    const std::size_t count = arrays.length.size();
    if (arrays.begin.size() != count || arrays.end.size() != count) {
        throw Error("the precomputed frequent sequences contradict each other");
    }
    super_ = super_frequent(arrays.length, settings.super_frequent);
    super_number_ = numbers_among(super_, count);
    check_lists(arrays.word_offsets, count, arrays.word_positions, 1, "frequent sequences");
    check_lists(arrays.pair_offsets, count * count, arrays.pair_positions, 2, "pairs");
    check_lists(arrays.triple_offsets, 2 * super_.size() * super_.size() * count, arrays.triple_positions, 3,
                "triples");
    for (std::uint32_t number = 0; number < count; ++number) {
        by_rank_.push_back({{arrays.begin[number], arrays.length[number]}, number});
        const std::uint32_t size = arrays.end[number] - arrays.begin[number];
        least_count_ = number == 0 ? size : std::min(least_count_, size);
    }
    std::sort(by_rank_.begin(), by_rank_.end());
}

std::uint32_t Precomputed::find(SuffixRange range, std::uint32_t length) const {
    if (range.size() < least_count_) return none;
    const std::pair key{range.begin, length};
    const auto found = std::lower_bound(by_rank_.begin(), by_rank_.end(), key,
                                        [](const auto& entry, const auto& wanted) { return entry.first < wanted; });
    return found != by_rank_.end() && found->first == key ? found->second : none;
}

Occurrences Precomputed::sequence(std::uint32_t number) const {
    const auto begin = arrays_.word_offsets[number], end = arrays_.word_offsets[number + 1];
    return Occurrences::view(arrays_.word_positions.subspan(begin, end - begin), 1);
}

std::optional<Occurrences> Precomputed::pair(std::uint32_t u, std::uint32_t v, const GrammarLimits& limits) const {
    if (u == none || v == none || !covers(limits)) return std::nullopt;
    const std::size_t list = u * size() + v;
    const auto begin = arrays_.pair_offsets[list], end = arrays_.pair_offsets[list + 1];
    return within(arrays_.pair_positions.subspan(2 * begin, 2 * (end - begin)), std::array{u, v}, limits);
}

std::optional<Occurrences> Precomputed::triple(std::uint32_t u, std::uint32_t v, std::uint32_t w,
                                               const GrammarLimits& limits) const {
    if (u == none || v == none || w == none || !covers(limits) || super_number_[v] == none) return std::nullopt;
    const std::size_t supers = super_.size();
    std::size_t list;
    if (super_number_[u] != none) {
        list = (super_number_[u] * supers + super_number_[v]) * size() + w;
    } else if (super_number_[w] != none) {
        list = supers * supers * size() + (u * supers + super_number_[v]) * supers + super_number_[w];
    } else {
        return std::nullopt;
    }
    const auto begin = arrays_.triple_offsets[list], end = arrays_.triple_offsets[list + 1];
    return within(arrays_.triple_positions.subspan(3 * begin, 3 * (end - begin)), std::array{u, v, w}, limits);
}

Occurrences Precomputed::within(std::span<const std::uint32_t> positions, std::span<const std::uint32_t> sequences,
                                const GrammarLimits& limits) const {
    const auto width = static_cast<std::uint32_t>(sequences.size());
    const auto all = Occurrences::view(positions, width);
    if (limits.max_span == settings_.max_span && limits.min_gap == settings_.min_gap) return all;
    std::vector<std::uint32_t> kept;  // the stored window is wider than the one asked for
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto tuple = all[i];
        bool fits = tuple.back() + arrays_.length[sequences.back()] - tuple.front() <= limits.max_span;
        for (std::uint32_t k = 0; fits && k + 1 < width; ++k) {
            fits = tuple[k + 1] >= tuple[k] + arrays_.length[sequences[k]] + limits.min_gap;
        }
        if (fits) kept.insert(kept.end(), tuple.begin(), tuple.end());
    }
    return {std::move(kept), width};
}

}  // namespace pentaglot
