#include "lm/kneser_ney.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "lm/adjusted_counts.hpp"

namespace pentaglot::lm {

namespace {

constexpr std::size_t ngrams_per_shard = 1 << 16;

Discounts discounts_of(const CountedLevel& level, const std::array<double, 3>& fallback) {
    std::array<std::uint64_t, 5> having{};  // how many n-grams have the count 1, 2, 3, 4
    for (const std::uint64_t count : level.count) {
        if (count < having.size()) ++having[count];
    }
    Discounts discounts{fallback, true};
    if (having[1] == 0 || having[2] == 0 || having[3] == 0) return discounts;
    std::array<double, 5> n{};
    std::copy(having.begin(), having.end(), n.begin());
    const double y = n[1] / (n[1] + 2.0 * n[2]);
    std::array<double, 3> amount{};
    for (unsigned j = 1; j <= 3; ++j) {
        amount[j - 1] = j - (j + 1) * y * n[j + 1] / n[j];
        if (!(amount[j - 1] > 0.0 && amount[j - 1] <= j)) return discounts;
    }
    return {amount, false};
}

// The sums over the n-grams that share a context. They are whole numbers, so that the order of adding does not matter,
// and lie side by side, since contexts are visited in no particular order and every visit is a cache miss.
struct ContextSum {
    std::uint64_t total = 0;
    std::uint64_t pruned = 0;
    std::array<std::uint32_t, 3> kept{};  // n-grams with count 1, 2, more

    // The probability that is left for shorter contexts.
    double left_over(const Discounts& discounts) const {
        if (total == 0) return 1.0;
        double mass = static_cast<double>(pruned);
        for (std::size_t i = 0; i < 3; ++i) mass += discounts.amount[i] * static_cast<double>(kept[i]);
        return mass / static_cast<double>(total);
    }
};

class ContextSums {
  public:
    ContextSums(std::size_t contexts, bool shared) : sums_(contexts), shared_(shared) {}

    void add(std::size_t context, std::uint64_t count, bool is_kept) {
        ContextSum& sum = sums_[context];
        increase(sum.total, count);
        if (!is_kept) {
            increase(sum.pruned, count);
        } else if (count > 0) {
            increase(sum.kept[std::min<std::uint64_t>(count, 3) - 1], 1U);
        }
    }

    const ContextSum& operator[](std::size_t context) const { return sums_[context]; }

  private:
    template <typename T>
    void increase(T& sum, T amount) const {
        if (shared_) {
            std::atomic_ref(sum).fetch_add(amount, std::memory_order_relaxed);
        } else {
            sum += amount;
        }
    }

    std::vector<ContextSum> sums_;
    bool shared_;  // several threads add at once
};

float to_log(double probability) {
    if (!(probability > 0.0)) return log_of_zero;
    return static_cast<float>(std::max<double>(log_of_zero, std::min(0.0, std::log10(probability))));
}

template <typename Work>
void each_ngram(std::size_t count, unsigned threads, const Poll& poll, const Work& work) {
    const auto job = [&](std::size_t shard, unsigned) {
        const std::size_t end = std::min(count, (shard + 1) * ngrams_per_shard);
        for (std::size_t i = shard * ngrams_per_shard; i < end; ++i) work(i);
    };
    parallel_for((count + ngrams_per_shard - 1) / ngrams_per_shard, threads, job, poll);
}

class Estimator {
  public:
    Estimator(std::vector<CountedLevel> counted, std::span<const std::uint64_t> prune,
              const std::array<double, 3>& fallback, unsigned threads, const Poll& poll)
        : counted_(std::move(counted)), prune_(prune), threads_(threads), poll_(poll) {
        std::vector<const std::vector<WordId>*> words;
        std::vector<const std::vector<std::uint32_t>*> parents;
        for (const CountedLevel& level : counted_) {
            result_.discounts.push_back(discounts_of(level, fallback));
            words.push_back(&level.word);
            parents.push_back(&level.parent);
        }
        contexts_ = context_links(words, parents, threads, poll);
        result_.ngrams.levels.resize(counted_.size());
    }

    Estimate run() {
        unigrams();
        for (std::size_t n = 1; n < counted_.size(); ++n) longer(n);
        return std::move(result_);
    }

  private:
    bool kept(std::size_t n, std::size_t i) const { return prune_[n] == 0 || counted_[n].occurrences[i] > prune_[n]; }

    void unigrams() {
        CountedLevel& counted = counted_[0];
        ContextSums sums(1, false);
        for (const std::uint64_t count : counted.count) sums.add(0, count, true);
        if (sums[0].total == 0) throw Error("there is no text to learn from");
        const Discounts& discounts = result_.discounts[0];
        const double total = static_cast<double>(sums[0].total);
        const double share = sums[0].left_over(discounts) / static_cast<double>(counted.size() - 2);
        probabilities_.resize(counted.size());
        Level& level = result_.ngrams.levels[0];
        level.log_probability.resize(counted.size());
        for (std::size_t id = 0; id < counted.size(); ++id) {
            const std::uint64_t count = counted.count[id];
            probabilities_[id] = (static_cast<double>(count) - discounts.of(count)) / total + share;
            if (id == SpecialWord::start || id == SpecialWord::null) probabilities_[id] = 0.0;
            level.log_probability[id] = to_log(probabilities_[id]);
        }
        level.word = std::move(counted.word);
        if (counted_.size() > 1) level.backoff.assign(level.size(), 0.0F);
        new_place_.resize(level.size());
        for (std::size_t id = 0; id < new_place_.size(); ++id) new_place_[id] = static_cast<std::uint32_t>(id);
    }

    void longer(std::size_t n) {
        CountedLevel& counted = counted_[n];
        const Discounts& discounts = result_.discounts[n];
        const std::size_t shorter = probabilities_.size();  // n-grams before pruning
        ContextSums sums(shorter, threads_ > 1);
        each_ngram(counted.size(), threads_, poll_,
                   [&](std::size_t i) { sums.add(contexts_[n][i], counted.count[i], kept(n, i)); });
        back_off(n - 1, sums, discounts);
        std::vector<double> probabilities(counted.size());
        each_ngram(counted.size(), threads_, poll_, [&](std::size_t i) {
            const ContextSum& sum = sums[contexts_[n][i]];
            const std::uint64_t count = counted.count[i];
            probabilities[i] = (static_cast<double>(count) - discounts.of(count)) / static_cast<double>(sum.total) +
                               sum.left_over(discounts) * probabilities_[counted.parent[i]];
        });
        probabilities_ = std::move(probabilities);
        contexts_[n] = {};
        fill(n);
    }

    // The weight of backing off from each n-gram, once it is known what follows it.
    void back_off(std::size_t n, const ContextSums& sums, const Discounts& discounts) {
        Level& level = result_.ngrams.levels[n];
        each_ngram(probabilities_.size(), threads_, poll_, [&](std::size_t i) {
            if (sums[i].total > 0 && (n == 0 || kept(n, i))) {
                level.backoff[new_place_[i]] = to_log(sums[i].left_over(discounts));
            }
        });
        if (n > 0) counted_[n].occurrences = {};
    }

    // Moves what was not pruned into the result.
    void fill(std::size_t n) {
        CountedLevel& counted = counted_[n];
        Level& level = result_.ngrams.levels[n];
        std::vector<std::uint32_t> new_place(counted.size());
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < counted.size(); ++i) {
            listen_at(i);
            new_place[i] = next;
            if (!kept(n, i)) continue;
            counted.word[next] = counted.word[i];
            counted.parent[next] = new_place_[counted.parent[i]];
            ++next;
        }
        level.log_probability.resize(next);
        each_ngram(counted.size(), threads_, poll_, [&](std::size_t i) {
            if (kept(n, i)) level.log_probability[new_place[i]] = to_log(probabilities_[i]);
        });
        counted.word.resize(next);
        counted.parent.resize(next);
        level.word = std::move(counted.word);
        level.parent = std::move(counted.parent);
        counted.count = {};
        if (n + 1 < counted_.size()) level.backoff.assign(next, 0.0F);
        new_place_ = std::move(new_place);
    }

    std::vector<CountedLevel> counted_;
    std::span<const std::uint64_t> prune_;
    unsigned threads_;
    const Poll& poll_;
    std::vector<std::vector<std::uint32_t>> contexts_;
    std::vector<double> probabilities_;     // of the level before, pruned n-grams included
    std::vector<std::uint32_t> new_place_;  // of the level before, after pruning
    Estimate result_;
};

}  // namespace

Estimate estimate(std::span<const Run> runs, unsigned order, std::size_t vocabulary_size,
                  std::span<const std::uint64_t> prune, const std::array<double, 3>& fallback, unsigned threads,
                  const Poll& poll) {
    if (order < 1 || order > max_order) throw Error("the order of a model is from 1 to " + std::to_string(max_order));
    if (prune.size() != order || prune[0] != 0 || !std::is_sorted(prune.begin(), prune.end())) {
        throw Error("the pruning limits must begin with 0 and never fall, one for each length");
    }
    if (vocabulary_size < SpecialWord::first_word) throw Error("the vocabulary is too small");
    for (const Run run : runs) {
        if (run.size() % record_size(order) != 0)
            throw Error("the length of a run of n-grams does not fit the order of the model");
    }
    return Estimator(adjust_counts(runs, order, vocabulary_size, prune, threads, poll), prune, fallback, threads, poll)
        .run();
}

}  // namespace pentaglot::lm
