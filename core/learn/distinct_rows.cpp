#include "learn/distinct_rows.hpp"

#include <algorithm>
#include <bit>

#include "base/listening.hpp"

namespace pentaglot {

DistinctRows::DistinctRows(const CandidateLists& lists) : width(lists.width()) {
    constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> slots;  // a hash table of rows
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        listen_at<16>(sentence);
        const std::size_t begin = lists.sentences[sentence], size = lists.sentences[sentence + 1] - begin;
        const std::size_t mask = std::bit_ceil(2 * size + 2) - 1, first = offsets.back();
        std::uint32_t count = 0;
        slots.assign(mask + 1, none);
        for (std::size_t at = 0; at < size; ++at) {
            const auto wanted = lists.statistics_of(begin + at);
            std::uint64_t hash = 0;
            for (const double each : wanted)
                hash = std::rotl((hash ^ std::bit_cast<std::uint64_t>(each)) * 0x9E3779B97F4A7C15ULL, 32);
            std::size_t slot = hash & mask;
            while (slots[slot] != none && !std::ranges::equal(row(first + slots[slot]), wanted))
                slot = (slot + 1) & mask;
            if (slots[slot] == none) {
                slots[slot] = count++;
                rows.insert(rows.end(), wanted.begin(), wanted.end());
            }
            places.push_back(slots[slot]);
        }
        offsets.push_back(first + count);
    }
}

}  // namespace pentaglot
