#include "order/corpus_orders.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "order/permutation_tree.hpp"

namespace pentaglot {
namespace {

constexpr std::size_t together = 1024;

// Runs work(sentence) for all sentences, in shards.
template <typename Work>
void for_sentences(std::size_t count, unsigned threads, const Work& work) {
    parallel_for((count + together - 1) / together, threads, [&](std::size_t shard, unsigned) {
        for (std::size_t i = shard * together; i < std::min(count, (shard + 1) * together); ++i) {
            listen_at<64>(i);
            work(i);
        }
    });
}

}  // namespace

SentenceLinks CorpusLinks::operator[](std::size_t sentence) const {
    const std::size_t begin = offsets[sentence], count = offsets[sentence + 1] - begin;
    return {source.subspan(begin, count), target.subspan(begin, count),
            strengths.empty() ? strengths : strengths.subspan(begin, count)};
}

void CorpusLinks::check() const {
    if (offsets.size() != lengths.size() + 1 || offsets.front() != 0 ||
        !std::is_sorted(offsets.begin(), offsets.end()) || offsets.back() != source.size() ||
        source.size() != target.size() || (!strengths.empty() && strengths.size() != source.size())) {
        throw Error("the links do not fit the sentences");
    }
    for (std::size_t i = 0; i < size(); ++i) {
        if (lengths[i] >= no_position) throw Error("sentence " + std::to_string(i + 1) + " is too long");
        for (const Position word : (*this)[i].source) {
            if (word >= lengths[i]) {
                throw Error("sentence " + std::to_string(i + 1) + " has a link of word " + std::to_string(word) +
                            ", but only " + std::to_string(lengths[i]) + " words");
            }
        }
    }
}

CorpusRanks word_ranks(const CorpusLinks& links, Pick pick, Side attach, unsigned threads) {
    links.check();
    CorpusRanks found;
    found.offsets.push_back(0);
    for (const std::uint32_t length : links.lengths) found.offsets.push_back(found.offsets.back() + length);
    found.ranks.resize(found.offsets.back());
    for_sentences(links.size(), threads, [&](std::size_t i) {
        const auto ranks = word_ranks(links.lengths[i], links[i], pick, attach);
        std::copy(ranks.begin(), ranks.end(), found.ranks.begin() + static_cast<std::ptrdiff_t>(found.offsets[i]));
    });
    return found;
}

CorpusBlocks minimal_phrases(const CorpusLinks& links, unsigned threads) {
    links.check();
    std::vector<std::vector<Block>> blocks(links.size());
    for_sentences(links.size(), threads,
                  [&](std::size_t i) { blocks[i] = minimal_phrases(links.lengths[i], links[i]); });
    CorpusBlocks found;
    found.offsets.push_back(0);
    for (const auto& sentence : blocks) {
        for (const Block& block : sentence) {
            found.begins.push_back(block.begin);
            found.ends.push_back(block.end);
            found.ranks.push_back(block.rank);
        }
        found.offsets.push_back(found.begins.size());
    }
    return found;
}

std::vector<Position> largest_arities(std::span<const std::uint64_t> offsets, std::span<const Position> ranks,
                                      unsigned threads) {
    if (offsets.empty() || offsets.front() != 0 || !std::is_sorted(offsets.begin(), offsets.end()) ||
        offsets.back() != ranks.size()) {
        throw Error("the permutations do not fit their offsets");
    }
    std::vector<Position> found(offsets.size() - 1);
    for_sentences(found.size(), threads, [&](std::size_t i) {
        const auto one = ranks.subspan(offsets[i], offsets[i + 1] - offsets[i]);
        check_ranks(one);
        if (!one.empty()) found[i] = static_cast<Position>(largest_arity(flat_tree(linear_tree(one))));
    });
    return found;
}

}  // namespace pentaglot
