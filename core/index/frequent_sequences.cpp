#include "index/frequent_sequences.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

struct Candidate {
    std::uint32_t begin, end, length;
    std::uint32_t count() const { return end - begin; }
};

bool more_frequent(const Candidate& one, const Candidate& other) {
    if (one.count() != other.count()) return one.count() > other.count();
    if (one.length != other.length) return one.length < other.length;
    return one.begin < other.begin;
}

}  // namespace

FrequentSequences frequent_sequences(const SourceIndex& index, std::span<const std::uint32_t> common_prefixes,
                                     std::uint32_t most, std::uint32_t max_length) {
    const auto tokens = index.tokens();
    const auto suffixes = index.suffixes();
    if (common_prefixes.size() != suffixes.size()) throw Error("the common prefixes do not belong to this text");
    std::vector<Candidate> best;
    std::uint32_t least = 2;
    const auto shrink = [&] {
        if (best.size() <= most) return;
        std::nth_element(best.begin(), best.begin() + most, best.end(), more_frequent);
        best.resize(most);
        if (most > 0) least = std::max(least, std::max_element(best.begin(), best.end(), more_frequent)->count());
    };
    const auto close = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t length) {
        if (suffixes[begin] + std::size_t{length} > tokens.size()) return;
        const auto words = tokens.subspan(suffixes[begin], length);
        if (std::any_of(words.begin(), words.end(), [](WordId id) { return id < SpecialWord::first_word; })) return;
        best.push_back({begin, end, length});
        if (best.size() >= 4 * std::size_t{most} + 64) shrink();
    };
    std::vector<std::uint32_t> open(max_length + 1);  // where the run of each length began
    const auto size = static_cast<std::uint32_t>(suffixes.size());
    for (std::uint32_t rank = 1; rank <= size; ++rank) {
        listen_at(rank);
        const std::uint32_t shared = rank < size ? std::min(common_prefixes[rank], max_length) : 0;
        // Longer common beginnings are never more frequent.
        for (std::uint32_t length = shared + 1; length <= max_length && rank - open[length] >= least; ++length) {
            close(open[length], rank, length);
        }
        std::fill(open.begin() + shared + 1, open.end(), rank);
    }
    shrink();
    std::sort(best.begin(), best.end(), more_frequent);
    FrequentSequences found;
    for (const auto& each : best) {
        found.begin.push_back(each.begin);
        found.end.push_back(each.end);
        found.length.push_back(each.length);
    }
    return found;
}

}  // namespace pentaglot
