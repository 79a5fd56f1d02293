#include "learn/expected.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/parallel.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t sentences_in_shard = 16;

// The candidates of one sentence.
struct Range {
    std::size_t begin, end;
};

// Adds to `sums` what a sentence contributes, given the chances of its candidates.
using Visit = std::function<void(Range, std::span<const double> chances, std::vector<double>& sums)>;

void softmax(const CandidateLists& lists, Range range, std::span<const double> weights, std::vector<double>& chances) {
    chances.clear();
    for (std::size_t candidate = range.begin; candidate < range.end; ++candidate)
        chances.push_back(lists.features.dot(candidate, weights));
    const double top = *std::ranges::max_element(chances);
    double total = 0.0;
    for (double& chance : chances) total += chance = std::exp(chance - top);
    for (double& chance : chances) chance /= total;
}

// Shards are cut by their number of sentences and added up in their order: the same sum with any number of threads.
std::vector<double> sum_over_sentences(const CandidateLists& lists, std::span<const double> weights, std::size_t width,
                                       const Visit& visit, unsigned threads) {
    if (weights.size() != lists.feature_count) throw Error("there are not as many weights as features");
    if (!std::ranges::all_of(weights, [](double weight) { return std::isfinite(weight); }))
        throw Error("a weight is not a finite number");
    const std::size_t sentences = lists.sentence_count();
    const std::size_t shards = (sentences + sentences_in_shard - 1) / sentences_in_shard;
    std::vector<std::vector<double>> parts(shards, std::vector<double>(width, 0.0));
    const auto job = [&](std::size_t shard, unsigned) {
        std::vector<double> chances;
        const std::size_t end = std::min(sentences, (shard + 1) * sentences_in_shard);
        for (std::size_t sentence = shard * sentences_in_shard; sentence < end; ++sentence) {
            const Range range{lists.sentences[sentence], lists.sentences[sentence + 1]};
            if (range.begin == range.end) continue;
            listen();
            softmax(lists, range, weights, chances);
            visit(range, chances, parts[shard]);
        }
    };
    parallel_for(shards, threads, job);
    std::vector<double> sums(width, 0.0);
    for (const auto& part : parts) {
        for (std::size_t at = 0; at < width; ++at) sums[at] += part[at];
    }
    return sums;
}

double dot(std::span<const double> one, std::span<const double> other) {
    double sum = 0.0;
    for (std::size_t at = 0; at < one.size(); ++at) sum += one[at] * other[at];
    return sum;
}

}  // namespace

std::vector<double> expected_statistics(const CandidateLists& lists, std::span<const double> weights,
                                        unsigned threads) {
    const auto visit = [&](Range range, std::span<const double> chances, std::vector<double>& sums) {
        for (std::size_t candidate = range.begin; candidate < range.end; ++candidate) {
            const auto row = lists.statistics_of(candidate);
            for (std::size_t at = 0; at < row.size(); ++at) sums[at] += chances[candidate - range.begin] * row[at];
        }
    };
    return sum_over_sentences(lists, weights, lists.width(), visit, threads);
}

std::vector<double> expected_gradient(const CandidateLists& lists, std::span<const double> weights,
                                      std::span<const double> slopes, unsigned threads) {
    if (slopes.size() != lists.width()) throw Error("there are not as many slopes as statistics");
    const auto visit = [&](Range range, std::span<const double> chances, std::vector<double>& sums) {
        double mean = 0.0;
        for (std::size_t candidate = range.begin; candidate < range.end; ++candidate)
            mean += chances[candidate - range.begin] * dot(slopes, lists.statistics_of(candidate));
        for (std::size_t candidate = range.begin; candidate < range.end; ++candidate) {
            const double value = dot(slopes, lists.statistics_of(candidate)) - mean;
            const double pull = chances[candidate - range.begin] * value;
            const auto ids = lists.features.ids_of(candidate);
            const auto values = lists.features.values_of(candidate);
            for (std::size_t at = 0; at < ids.size(); ++at) sums[ids[at]] += pull * double{values[at]};
        }
    };
    return sum_over_sentences(lists, weights, lists.feature_count, visit, threads);
}

}  // namespace pentaglot
