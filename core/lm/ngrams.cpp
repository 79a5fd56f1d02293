#include "lm/ngrams.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot::lm {

namespace {

constexpr std::size_t parents_per_shard = 1 << 15;

template <typename T>
void permute(std::vector<T>& values, const std::vector<std::pair<std::uint64_t, std::uint32_t>>& order) {
    if (values.empty()) return;
    std::vector<T> sorted(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        listen_at(i);
        sorted[i] = values[order[i].second];
    }
    values = std::move(sorted);
}

// The first place in [begin, end) whose word is not below `wanted`; quick when it is near `begin`.
std::uint64_t gallop(const std::vector<WordId>& words, std::uint64_t begin, std::uint64_t end, WordId wanted) {
    std::uint64_t step = 1;
    std::uint64_t low = begin;
    while (low + step < end && words[low + step] < wanted) {
        low += step;
        step *= 2;
    }
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(low);
    const auto last = words.begin() + static_cast<std::ptrdiff_t>(std::min(end, low + step + 1));
    return static_cast<std::uint64_t>(std::lower_bound(first, last, wanted) - words.begin());
}

}  // namespace

void NGrams::spell(unsigned length, std::size_t place, WordId* words) const {
    for (unsigned n = length; n > 0; --n) {
        *words++ = levels[n - 1].word[place];
        if (n > 1) place = levels[n - 1].parent[place];
    }
}

void sort_suffix_order(NGrams& ngrams) {
    std::vector<std::uint32_t> new_place;  // of the level before
    for (std::size_t n = 1; n < ngrams.levels.size(); ++n) {
        Level& level = ngrams.levels[n];
        if (n > 1) {
            for (std::uint32_t& parent : level.parent) parent = new_place[parent];
        }
        std::vector<std::pair<std::uint64_t, std::uint32_t>> order(level.size());  // (parent, word) and old place
        for (std::uint32_t i = 0; i < order.size(); ++i)
            order[i] = {std::uint64_t{level.parent[i]} << 32 | std::uint64_t{level.word[i]}, i};
        if (!std::is_sorted(order.begin(), order.end())) {
            std::size_t compared = 0;
            std::sort(order.begin(), order.end(), [&compared](const auto& one, const auto& other) {
                listen_at(++compared);
                return one < other;
            });
            permute(level.word, order);
            permute(level.parent, order);
            permute(level.log_probability, order);
            permute(level.backoff, order);
        }
        new_place.resize(order.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) new_place[order[i].second] = i;
    }
}

std::vector<std::uint64_t> child_ranges(const std::vector<std::uint32_t>& parents, std::size_t parent_count) {
    std::vector<std::uint64_t> begins(parent_count + 1, 0);
    for (const std::uint32_t parent : parents) ++begins[parent + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    return begins;
}

std::vector<std::vector<std::uint32_t>> context_links(const std::vector<const std::vector<WordId>*>& words,
                                                      const std::vector<const std::vector<std::uint32_t>*>& parents,
                                                      unsigned threads, const Poll& poll) {
    std::vector<std::vector<std::uint32_t>> contexts(words.size());
    std::vector<std::uint64_t> children_before;  // of the level two shorter, in the level one shorter
    for (std::size_t n = 1; n < words.size(); ++n) {
        const auto children = child_ranges(*parents[n], words[n - 1]->size());
        if (n == 1) {
            contexts[1].assign(words[1]->begin(), words[1]->end());
        } else {
            // The children of "b c" are the words before it; each of them also stands before "b" alone, in the same
            // order.
            contexts[n].resize(words[n]->size());
            const std::size_t count = words[n - 1]->size();
            const auto link = [&](std::size_t shard, unsigned) {
                const std::size_t end = std::min(count, (shard + 1) * parents_per_shard);
                for (std::size_t parent = shard * parents_per_shard; parent < end; ++parent) {
                    const std::uint32_t shorter = contexts[n - 1][parent];
                    std::uint64_t at = children_before[shorter];
                    const std::uint64_t stop = children_before[shorter + 1];
                    for (std::uint64_t child = children[parent]; child < children[parent + 1]; ++child) {
                        const WordId wanted = (*words[n])[child];
                        at = gallop(*words[n - 1], at, stop, wanted);
                        if (at >= stop || (*words[n - 1])[at] != wanted) {
                            throw Error("the context of a " + std::to_string(n + 1) + "-gram is missing");
                        }
                        contexts[n][child] = static_cast<std::uint32_t>(at);
                    }
                }
            };
            parallel_for((count + parents_per_shard - 1) / parents_per_shard, threads, link, poll);
        }
        children_before = children;
    }
    return contexts;
}

}  // namespace pentaglot::lm
