#include "lm/mixture.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "lm/ngram_index.hpp"

namespace pentaglot::lm {

namespace {

constexpr std::size_t ngrams_per_shard = 1 << 14;

// All n-grams of all parts, in suffix order, without weights.
NGrams unite(std::span<const MixturePart> parts, std::size_t vocabulary_size) {
    NGrams all;
    std::size_t order = 0;
    for (const MixturePart& part : parts) order = std::max(order, part.ngrams->levels.size());
    all.levels.resize(order);
    for (std::size_t id = 0; id < vocabulary_size; ++id) all.levels[0].word.push_back(static_cast<WordId>(id));
    std::vector<NGramIndex> indices(order);
    for (const MixturePart& part : parts) {
        std::vector<std::uint32_t> places(part.to_mixture.begin(), part.to_mixture.end());
        for (std::size_t n = 1; n < part.ngrams->levels.size(); ++n) {
            const Level& level = part.ngrams->levels[n];
            Level& to = all.levels[n];
            std::vector<std::uint32_t> new_places(level.size());
            for (std::size_t i = 0; i < level.size(); ++i) {
                const std::uint32_t parent = places[level.parent[i]];
                const WordId word = part.to_mixture[level.word[i]];
                std::uint32_t place = indices[n].find(parent, word);
                if (place == NGramIndex::none) {
                    if (to.size() + 1 >= NGramIndex::none) throw Error("the mixture has too many n-grams");
                    place = static_cast<std::uint32_t>(to.size());
                    to.word.push_back(word);
                    to.parent.push_back(parent);
                    indices[n].add(parent, word, place);
                }
                new_places[i] = place;
            }
            places = std::move(new_places);
        }
    }
    sort_suffix_order(all);
    return all;
}

// The probability of the last of `words` after the others in one part.
double probability(const MixturePart& part, std::span<const WordId> words) {
    const WordId last = words.back();
    if (part.ids[last] == SpecialWord::unknown && last != SpecialWord::unknown) return 0.0;
    State state;
    for (const WordId word : words.first(words.size() - 1)) part.model->score(state, part.ids[word], state);
    return std::pow(10.0, static_cast<double>(part.model->score(state, part.ids[last], state)));
}

std::vector<double> probabilities(std::span<const MixturePart> parts, const NGrams& ngrams, std::size_t n,
                                  unsigned threads, const Poll& poll) {
    const std::size_t count = ngrams.levels[n].size();
    std::vector<double> mixed(count, 0.0);
    const auto job = [&](std::size_t shard, unsigned) {
        std::array<WordId, max_order> words{};
        const std::size_t end = std::min(count, (shard + 1) * ngrams_per_shard);
        for (std::size_t i = shard * ngrams_per_shard; i < end; ++i) {
            ngrams.spell(static_cast<unsigned>(n + 1), i, words.data());
            // <s> is never predicted, and the null word is not a word.
            if (words[n] == SpecialWord::start || words[n] == SpecialWord::null) continue;
            for (const MixturePart& part : parts) {
                mixed[i] += part.weight * probability(part, {words.data(), n + 1});
            }
        }
    };
    parallel_for((count + ngrams_per_shard - 1) / ngrams_per_shard, threads, job, poll);
    return mixed;
}

float to_log(double probability) {
    return probability > 0.0 ? static_cast<float>(std::max<double>(log_of_zero, std::log10(probability))) : log_of_zero;
}

}  // namespace

NGrams mix(std::span<const MixturePart> parts, std::size_t vocabulary_size, unsigned threads, const Poll& poll) {
    NGrams mixed = unite(parts, vocabulary_size);
    std::vector<const std::vector<WordId>*> words;
    std::vector<const std::vector<std::uint32_t>*> parents;
    for (const Level& level : mixed.levels) {
        words.push_back(&level.word);
        parents.push_back(&level.parent);
    }
    const auto contexts = context_links(words, parents, threads, poll);
    std::vector<double> shorter;
    for (std::size_t n = 0; n < mixed.levels.size(); ++n) {
        Level& level = mixed.levels[n];
        std::vector<double> now = probabilities(parts, mixed, n, threads, poll);
        level.log_probability.resize(level.size());
        for (std::size_t i = 0; i < level.size(); ++i) level.log_probability[i] = std::min(0.0F, to_log(now[i]));
        if (n + 1 < mixed.levels.size()) level.backoff.assign(level.size(), 0.0F);
        if (n > 0) {
            // What the words seen after a context leave over, there and in the shorter context that is backed off to.
            std::vector<double> seen(shorter.size(), 0.0);
            std::vector<double> seen_shorter(shorter.size(), 0.0);
            for (std::size_t i = 0; i < level.size(); ++i) {
                seen[contexts[n][i]] += now[i];
                seen_shorter[contexts[n][i]] += shorter[level.parent[i]];
            }
            Level& context = mixed.levels[n - 1];
            for (std::size_t i = 0; i < context.size(); ++i) {
                if (seen[i] <= 0.0) continue;
                const double left = std::max(0.0, 1.0 - seen[i]);
                const double left_shorter = 1.0 - seen_shorter[i];
                context.backoff[i] = left_shorter > 1e-9 ? to_log(left / left_shorter) : 0.0F;
            }
        }
        shorter = std::move(now);
    }
    return mixed;
}

}  // namespace pentaglot::lm
