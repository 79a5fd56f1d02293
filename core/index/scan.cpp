#include "index/scan.hpp"

#include <algorithm>
#include <vector>

#include "base/listening.hpp"

namespace pentaglot {

Occurrences scan_for_last(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape,
                          const Occurrences& prefix, std::uint32_t before, WordId last) {
    const auto tokens = index.tokens();
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < prefix.size(); ++i) {
        listen_at<4096>(i);
        const auto occurrence = prefix[i];
        const std::size_t after = std::size_t{occurrence.back()} + before;  // the first word after the last chunk
        const std::size_t end = std::min(tokens.size(), std::size_t{occurrence.front()} + limits.max_span);
        if (!shape.ends_with_gap) {
            if (after < end && tokens[after] == last) found.insert(found.end(), occurrence.begin(), occurrence.end());
            continue;
        }
        for (std::size_t at = after; at < end && tokens[at] != SpecialWord::end; ++at) {
            if (tokens[at] != last || at < after + limits.min_gap) continue;
            found.insert(found.end(), occurrence.begin(), occurrence.end());
            found.push_back(static_cast<std::uint32_t>(at));
        }
    }
    return {std::move(found), prefix.chunks() + (shape.ends_with_gap ? 1 : 0)};
}

Occurrences scan_for_first(const SourceIndex& index, const GrammarLimits& limits, const JoinShape& shape,
                           const Occurrences& suffix, WordId first) {
    const auto tokens = index.tokens();
    const std::uint32_t width = suffix.chunks() + (shape.starts_with_gap ? 1 : 0);
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < suffix.size(); ++i) {
        listen_at<4096>(i);
        const auto occurrence = suffix[i];
        const std::size_t begin = occurrence.front();
        const std::size_t end = std::size_t{occurrence.back()} + shape.last_chunk;
        if (begin >= tokens.size() || end > tokens.size()) continue;
        const std::size_t low = end > limits.max_span ? end - limits.max_span : 0;
        if (!shape.starts_with_gap) {
            if (begin == 0 || begin - 1 < low || tokens[begin - 1] != first) continue;
            found.push_back(static_cast<std::uint32_t>(begin - 1));
            found.insert(found.end(), occurrence.begin() + 1, occurrence.end());
            continue;
        }
        for (std::size_t at = begin; at-- > low && tokens[at] != SpecialWord::end;) {
            if (tokens[at] != first || at + 1 + limits.min_gap > begin) continue;
            found.push_back(static_cast<std::uint32_t>(at));
            found.insert(found.end(), occurrence.begin(), occurrence.end());
        }
    }
    if (shape.starts_with_gap) sort_tuples(found, width);
    return {std::move(found), width};
}

}  // namespace pentaglot
