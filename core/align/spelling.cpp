#include "align/spelling.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

Spellings::Spellings(std::span<const char> bytes, std::span<const std::uint64_t> offsets)
    : bytes_(bytes), offsets_(offsets) {
    if (offsets.empty()) return;
    if (offsets.front() != 0 || offsets.back() != bytes.size() || !std::is_sorted(offsets.begin(), offsets.end())) {
        throw Error("the spellings of words do not fit their offsets");
    }
}

double likeness(std::string_view one, std::string_view other) {
    if (one.empty() || other.empty() || one.front() != other.front()) return 0;
    if (one == other) return 1;
    constexpr std::size_t shortest = 4, shortest_common = 3;
    if (one.size() < shortest || other.size() < shortest) return 0;
    const std::size_t length = std::min(one.size(), other.size());
    std::size_t common = 0;
    while (common < length && one[common] == other[common]) ++common;
    const double share = static_cast<double>(common) / static_cast<double>(std::max(one.size(), other.size()));
    return common >= shortest_common && share >= 0.5 ? share : 0;
}

std::vector<float> cell_likeness(const WordPairs& pairs, const Spellings& source, const Spellings& target,
                                 unsigned threads, const Poll& poll) {
    std::vector<float> found(pairs.size());
    constexpr std::size_t words_a_shard = 512;
    if (source.size() < pairs.source_words()) throw Error("there are fewer spellings than source words");
    for (const WordId word : pairs.columns) {
        if (word >= target.size()) throw Error("there are fewer spellings than target words");
    }
    parallel_for((pairs.source_words() + words_a_shard - 1) / words_a_shard, threads,
                 [&](std::size_t shard, unsigned) {
                     const std::size_t last = std::min(pairs.source_words(), (shard + 1) * words_a_shard);
                     for (std::size_t word = shard * words_a_shard; word < last; ++word) {
                         const std::string_view spelling = source[word];
                         for (std::size_t cell = pairs.rows[word]; cell < pairs.rows[word + 1]; ++cell) {
                             listen_at(cell);
                             found[cell] = static_cast<float>(likeness(spelling, target[pairs.columns[cell]]));
                         }
                     }
                 },
                 poll);
    return found;
}

}  // namespace pentaglot
