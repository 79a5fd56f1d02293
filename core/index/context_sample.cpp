#include "index/context_sample.hpp"

#include <algorithm>
#include <cmath>

namespace pentaglot {

ContextSimilarity::ContextSimilarity(const SourceIndex& index, std::span<const WordId> sentence) : index_(index) {
    std::vector<WordId> ids(sentence.begin(), sentence.end());
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const auto length = static_cast<double>(index.tokens().size());
    for (const WordId id : ids) {
        const SuffixRange range = index.find(id);
        if (!range.empty()) words_.push_back({id, std::log(length / range.size()), false});
    }
}

double ContextSimilarity::of(std::size_t sentence) {
    if (sentence >= index_.text().size()) return 0;  // the index is damaged
    double total = 0;
    for (const WordId id : index_.text()[sentence]) {
        const auto word = std::lower_bound(words_.begin(), words_.end(), id,
                                           [](const Word& each, WordId wanted) { return each.id < wanted; });
        if (word == words_.end() || word->id != id || word->seen) continue;
        word->seen = true;
        total += word->weight;
    }
    for (Word& word : words_) word.seen = false;
    return total;
}

std::vector<std::uint32_t> sample_similar(const SourceIndex& index, const SentencePatterns& patterns,
                                          std::uint32_t node, std::size_t size, std::size_t pool,
                                          ContextSimilarity& similarity) {
    if (size == 0 || patterns.count(node) <= size) return patterns.sample(index, node, 0);
    const auto tuples = patterns.sample(index, node, std::max(size, pool));
    const std::size_t width = patterns.nodes()[node].chunks;
    struct Candidate {
        std::size_t at;
        double score;
    };
    std::vector<Candidate> candidates(tuples.size() / width);
    for (std::size_t at = 0; at < candidates.size(); ++at) {
        candidates[at] = {at, similarity.of(index.sentences()[tuples[at * width]])};
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& one, const Candidate& other) { return one.score > other.score; });
    candidates.resize(std::min(size, candidates.size()));
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& one, const Candidate& other) { return one.at < other.at; });
    std::vector<std::uint32_t> taken;
    for (const Candidate& each : candidates) {
        const auto begin = tuples.begin() + static_cast<std::ptrdiff_t>(each.at * width);
        taken.insert(taken.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    return taken;
}

}  // namespace pentaglot
