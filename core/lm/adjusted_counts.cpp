#include "lm/adjusted_counts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "lm/ngrams.hpp"

namespace pentaglot::lm {

namespace {

constexpr std::size_t shard_count = 64;

// The n-grams whose last word is in one range. Records that begin alike are neighbours, so one walk meets every n-gram
// of every length once, and the words to the left of it one after the other.
class Shard {
  public:
    Shard(unsigned order, std::size_t vocabulary_size, std::span<const std::uint64_t> prune)
        : levels(order), order_(order), vocabulary_size_(vocabulary_size), prune_(prune), previous_(order) {}

    void add(const std::uint32_t* words, std::uint64_t count, CountedLevel& unigrams) {
        unsigned same = 0;
        if (!first_) {
            while (same < order_ && previous_[same] == words[same]) ++same;
        }
        first_ = false;
        std::copy(words, words + order_, previous_.begin());
        for (unsigned n = 0; n < order_; ++n) {
            const WordId word = words[n];
            if (word >= vocabulary_size_) throw Error("the counted n-grams have a word that the vocabulary lacks");
            if (n >= same && n > 0) open(n, words[0], unigrams);
            const bool begins_sentence = n > 0 && word == SpecialWord::start;
            if (n + 1 == order_ || begins_sentence) counts(n, unigrams, words[0]) += count;
            if (n > 0 && prune_[n] > 0) levels[n].occurrences.back() += count;
            if (begins_sentence) break;
        }
    }

    std::vector<CountedLevel> levels;  // parents count from the beginning of the shard

  private:
    void open(unsigned n, WordId last_word, CountedLevel& unigrams) {
        CountedLevel& level = levels[n];
        level.word.push_back(previous_[n]);
        level.parent.push_back(n == 1 ? last_word : static_cast<std::uint32_t>(levels[n - 1].size() - 1));
        level.count.push_back(0);
        if (prune_[n] > 0) level.occurrences.push_back(0);
        counts(n - 1, unigrams, last_word) += 1;
    }

    std::uint64_t& counts(unsigned n, CountedLevel& unigrams, WordId last_word) {
        return n == 0 ? unigrams.count[last_word] : levels[n].count.back();
    }

    unsigned order_;
    std::size_t vocabulary_size_;
    std::span<const std::uint64_t> prune_;
    std::vector<WordId> previous_;
    bool first_ = true;
};

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
    from = {};
}

void join(std::vector<Shard>& shards, unsigned n, CountedLevel& level) {
    std::size_t total = 0;
    for (const Shard& shard : shards) total += shard.levels[n].size();
    if (total >= std::numeric_limits<std::uint32_t>::max())
        throw Error("there are too many n-grams: 2^32 of one length");
    level.word.reserve(total);
    level.parent.reserve(total);
    level.count.reserve(total);
    std::uint32_t parents_before = 0;
    for (Shard& shard : shards) {
        if (n > 1) {
            for (std::uint32_t& parent : shard.levels[n].parent) parent += parents_before;
            // This level is joined from the longest down, so the shorter one still has its size.
            parents_before += static_cast<std::uint32_t>(shard.levels[n - 1].size());
        }
        append(level.word, shard.levels[n].word);
        append(level.parent, shard.levels[n].parent);
        append(level.count, shard.levels[n].count);
        append(level.occurrences, shard.levels[n].occurrences);
    }
}

}  // namespace

std::vector<CountedLevel> adjust_counts(std::span<const Run> runs, unsigned order, std::size_t vocabulary_size,
                                        std::span<const std::uint64_t> prune, unsigned threads, const Poll& poll) {
    std::vector<CountedLevel> levels(order);
    levels[0].word.resize(vocabulary_size);
    std::iota(levels[0].word.begin(), levels[0].word.end(), 0U);
    levels[0].count.assign(vocabulary_size, 0);
    const auto cuts = cut_runs(runs, order, vocabulary_size, shard_count);
    std::vector<Shard> shards(cuts.size() - 1, Shard(order, vocabulary_size, prune));
    const auto walk = [&](std::size_t shard, unsigned) {
        MergedRuns merged(runs, order, cuts[shard], cuts[shard + 1]);
        const std::uint32_t* words = nullptr;
        std::uint64_t count = 0;
        for (std::size_t records = 0; merged.next(words, count); ++records) {
            listen_at(records);
            shards[shard].add(words, count, levels[0]);
        }
    };
    parallel_for(shards.size(), threads, walk, poll);
    for (unsigned n = order - 1; n > 0; --n) join(shards, n, levels[n]);
    return levels;
}

}  // namespace pentaglot::lm
