#include "index/baselines.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"

namespace pentaglot {

StratifiedSet::StratifiedSet(std::size_t bound) : bound_(bound) {
    do {
        bound = bound / 64 + 1;
        levels_.emplace_back(bound);
    } while (bound > 1);
}

void StratifiedSet::insert(std::uint32_t position) {
    std::size_t at = position;
    for (auto& level : levels_) {
        level[at / 64] |= std::uint64_t{1} << (at % 64);
        at /= 64;
    }
}

void StratifiedSet::erase(std::uint32_t position) {
    std::size_t at = position;
    for (auto& level : levels_) {
        level[at / 64] &= ~(std::uint64_t{1} << (at % 64));
        if (level[at / 64] != 0) break;
        at /= 64;
    }
}

std::size_t StratifiedSet::next(std::size_t position) const {
    std::size_t height = 0;
    while (height < levels_.size()) {
        const auto& level = levels_[height];
        if (position / 64 >= level.size()) return bound_;
        const std::uint64_t here = level[position / 64] & (~std::uint64_t{0} << (position % 64));
        if (here == 0) {
            position = position / 64 + 1;  // none left in this node: go on to the right of it, one level up
            ++height;
            continue;
        }
        position = position / 64 * 64 + static_cast<std::size_t>(__builtin_ctzll(here));
        while (height > 0) {
            --height;
            position = position * 64 + static_cast<std::size_t>(__builtin_ctzll(levels_[height][position]));
        }
        return position;
    }
    return bound_;
}

namespace {

using Tuples = std::vector<std::uint32_t>;

struct Query {
    const SourceIndex& index;
    const GrammarLimits& limits;
    std::vector<std::span<const PatternSymbol>> chunks;
    std::vector<SuffixRange> ranges;

    // Whether chunk `k` may begin at `position` after a partial match of the chunks before it.
    bool fits(std::span<const std::uint32_t> partial, std::size_t k, std::size_t position) const {
        return position >= std::size_t{partial.back()} + chunks[k - 1].size() + limits.min_gap &&
               position + chunks[k].size() - partial.front() <= limits.max_span &&
               index.sentences().same(partial.front(), position);
    }
    std::span<const std::uint32_t> positions(std::size_t k) const {
        const auto found = index.positions(ranges[k]);
        for (const auto position : found) {
            if (position >= index.tokens().size())
                throw Damage("the suffix array is damaged: it points outside the text");
        }
        return found;
    }
};

void append(Tuples& longer, std::span<const std::uint32_t> partial, std::uint32_t position) {
    longer.insert(longer.end(), partial.begin(), partial.end());
    longer.push_back(position);
}

Tuples extend_by_product(const Query& query, const Tuples& tuples, std::size_t k) {
    Tuples longer;
    for (std::size_t at = 0; at < tuples.size(); at += k) {
        const std::span partial(tuples.data() + at, k);
        for (const auto position : query.positions(k)) {
            if (query.fits(partial, k, position)) append(longer, partial, position);
        }
    }
    return longer;
}

Tuples extend_by_tree(const Query& query, const Tuples& tuples, std::size_t k, StratifiedSet& set) {
    const auto positions = query.positions(k);
    for (const auto position : positions) set.insert(position);
    const std::size_t size = query.index.tokens().size();
    Tuples longer;
    for (std::size_t at = 0; at < tuples.size(); at += k) {
        const std::span partial(tuples.data() + at, k);
        std::size_t position = std::size_t{partial.back()} + query.chunks[k - 1].size() + query.limits.min_gap;
        for (position = set.next(position); position < size && query.fits(partial, k, position);
             position = set.next(position + 1)) {
            append(longer, partial, static_cast<std::uint32_t>(position));
        }
    }
    for (const auto position : positions) set.erase(position);
    return longer;
}

Tuples extend_by_sentences(const Query& query, const Tuples& tuples, std::size_t k) {
    // Chains of partial matches by sentence: the head in the hash table, the rest in `before`.
    constexpr std::uint32_t none = 0xFFFFFFFF;
    std::unordered_map<std::uint32_t, std::uint32_t> heads;
    heads.reserve(tuples.size() / k);
    std::vector<std::uint32_t> before(tuples.size() / k);
    for (std::uint32_t i = 0; i < before.size(); ++i) {
        const auto [place, added] = heads.try_emplace(query.index.sentences()[tuples[i * k]], none);
        before[i] = place->second;
        place->second = i;
    }
    Tuples longer;
    for (const auto position : query.positions(k)) {
        const auto found = heads.find(query.index.sentences()[position]);
        if (found == heads.end()) continue;
        for (std::uint32_t i = found->second; i != none; i = before[i]) {
            const std::span partial(tuples.data() + i * k, k);
            if (partial.front() <= position && query.fits(partial, k, position)) append(longer, partial, position);
        }
    }
    return longer;
}

}  // namespace

Occurrences find_by(Baseline baseline, const SourceIndex& index, std::span<const PatternSymbol> pattern,
                    const GrammarLimits& limits, StratifiedSet& scratch) {
    Query query{index, limits, chunks_of(pattern), {}};
    const auto width = static_cast<std::uint32_t>(query.chunks.size());
    for (const auto chunk : query.chunks) {
        query.ranges.push_back(index.find(chunk));
        if (query.ranges.back().empty()) return {Tuples{}, width};
    }
    Tuples tuples;
    for (const auto position : query.positions(0)) {
        if (query.chunks[0].size() <= limits.max_span) tuples.push_back(position);
    }
    for (std::size_t k = 1; k < width && !tuples.empty(); ++k) {
        if (baseline == Baseline::product) {
            tuples = extend_by_product(query, tuples, k);
        } else if (baseline == Baseline::tree) {
            tuples = extend_by_tree(query, tuples, k, scratch);
        } else {
            tuples = extend_by_sentences(query, tuples, k);
        }
    }
    sort_tuples(tuples, width);
    return {std::move(tuples), width};
}

}  // namespace pentaglot
