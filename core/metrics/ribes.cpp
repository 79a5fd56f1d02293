#include "metrics/ribes.hpp"

#include <algorithm>
#include <optional>

#include "base/listening.hpp"

namespace pentaglot {
namespace {

using Words = std::span<const std::uint32_t>;

// How long the stretches from a word to one side are that are found elsewhere.
struct Repeats {
    std::uint32_t own = 0;     // the longest that occurs again in the hypothesis
    std::uint32_t first = 0;   // the longest that occurs in the reference,
    std::uint32_t second = 0;  // and the longest that occurs there at a second place
    std::uint32_t place = 0;   // where the longest is

    // How many words are needed to identify the word; since it is repeated, it needs at least one neighbour.
    std::optional<std::uint32_t> needed() const {
        const std::uint32_t least = std::max({2U, own + 1, second + 1});
        return least <= first ? std::optional(least) : std::nullopt;
    }
};

// For all words of the hypothesis, from the lengths of common prefixes of suffixes of the texts, row by row.
std::vector<Repeats> repeats_of(Words hypothesis, Words reference) {
    const std::size_t n = hypothesis.size(), m = reference.size();
    std::vector<Repeats> found(n);
    std::vector<std::uint32_t> own(n + 1, 0), other(m + 1, 0);  // of the word after, and then of this one
    for (std::size_t i = n; i-- > 0;) {
        listen();
        for (std::size_t j = 0; j < n; ++j) {
            own[j] = hypothesis[i] == hypothesis[j] ? own[j + 1] + 1 : 0;
            if (j != i) found[i].own = std::max(found[i].own, own[j]);
        }
        own[n] = 0;
        for (std::size_t j = 0; j < m; ++j) {
            other[j] = hypothesis[i] == reference[j] ? other[j + 1] + 1 : 0;
            if (other[j] > found[i].first) {
                found[i].second = found[i].first;
                found[i].first = other[j];
                found[i].place = static_cast<std::uint32_t>(j);
            } else {
                found[i].second = std::max(found[i].second, other[j]);
            }
        }
    }
    return found;
}

std::size_t count(Words words, std::uint32_t word) {
    return static_cast<std::size_t>(std::count(words.begin(), words.end(), word));
}

}  // namespace

std::vector<std::uint32_t> ribes_positions(Words hypothesis, Words reference) {
    const std::vector<Repeats> right = repeats_of(hypothesis, reference);
    const std::vector<std::uint32_t> backwards(hypothesis.rbegin(), hypothesis.rend());
    const std::vector<std::uint32_t> reversed(reference.rbegin(), reference.rend());
    const std::vector<Repeats> left = repeats_of(backwards, reversed);
    std::vector<std::uint32_t> positions;
    for (std::size_t i = 0; i < hypothesis.size(); ++i) {
        const Repeats &after = right[i], &before = left[hypothesis.size() - 1 - i];
        const auto last = static_cast<std::uint32_t>(reference.size() - 1);
        const auto with_left = before.needed(), with_right = after.needed();
        if (count(hypothesis, hypothesis[i]) == 1 && count(reference, hypothesis[i]) == 1) {
            positions.push_back(after.place);
        } else if (with_right && (!with_left || *with_right <= *with_left)) {
            positions.push_back(after.place);
        } else if (with_left) {
            positions.push_back(last - before.place);
        }
    }
    return positions;
}

Ribes ribes(Words hypothesis, Words reference) {
    if (hypothesis.empty() || reference.empty()) return {};
    const std::vector<std::uint32_t> positions = ribes_positions(hypothesis, reference);
    const auto found = static_cast<double>(positions.size()), words = static_cast<double>(hypothesis.size());
    if (positions.size() == 1 && reference.size() == 1) return {1, 1 / words};
    if (positions.size() < 2) return {};
    double rising = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        listen();
        for (std::size_t j = i + 1; j < positions.size(); ++j) rising += positions[i] < positions[j];
    }
    return {rising / (found * (found - 1) / 2), found / words};
}

}  // namespace pentaglot
