#include "learn/losses.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/listening.hpp"
#include "base/parallel.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t sentences_in_shard = 16;

double risk(std::span<const double> scores, std::span<const double> costs, std::span<double> slopes) {
    side_value({true, 0.0, Over::all}, scores, costs, slopes);
    double mean = 0.0;
    for (std::size_t at = 0; at < scores.size(); ++at) mean += slopes[at] * costs[at];
    for (std::size_t at = 0; at < scores.size(); ++at) slopes[at] *= costs[at] - mean;
    return mean;
}

}  // namespace

double sentence_loss(const Loss& loss, std::span<const double> scores, std::span<const double> costs,
                     std::span<double> slopes) {
    if (scores.empty()) return 0.0;
    if (loss.reached && *std::ranges::min_element(costs) > 1e-9) {
        std::ranges::fill(slopes, 0.0);
        return 0.0;
    }
    if (loss.risk) return risk(scores, costs, slopes);
    std::vector<double> up(scores.size());
    const double raised = side_value(loss.up, scores, costs, up);
    const double lowered = side_value(loss.down, scores, costs, slopes);
    for (std::size_t at = 0; at < slopes.size(); ++at) slopes[at] -= up[at];
    return lowered - raised;
}

void check_costs(const CandidateLists& lists, std::span<const double> costs) {
    if (costs.size() != lists.size()) throw Error("there are not as many costs as candidates");
    if (!std::ranges::all_of(costs, [](double cost) { return std::isfinite(cost); }))
        throw Error("a cost is not a finite number");
}

ValueAndGradient total_loss(const FeatureColumns& columns, const Loss& loss, std::span<const double> costs,
                            std::span<const double> weights, unsigned threads) {
    const CandidateLists& lists = columns.lists();
    check_costs(lists, costs);
    if (weights.size() != lists.feature_count) throw Error("there are not as many weights as features");
    const std::size_t sentences = lists.sentence_count();
    const std::size_t shards = (sentences + sentences_in_shard - 1) / sentences_in_shard;
    // Slopes of candidates take much less room than gradients of shards where there are many features.
    std::vector<double> slopes(lists.size(), 0.0), values(shards, 0.0);
    const auto job = [&](std::size_t shard, unsigned) {
        std::vector<double> scores;
        const std::size_t end = std::min(sentences, (shard + 1) * sentences_in_shard);
        for (std::size_t sentence = shard * sentences_in_shard; sentence < end; ++sentence) {
            const std::size_t begin = lists.sentences[sentence], size = lists.sentences[sentence + 1] - begin;
            listen();
            columns.scores(sentence, weights, scores);
            values[shard] +=
                sentence_loss(loss, scores, costs.subspan(begin, size), std::span(slopes).subspan(begin, size));
        }
    };
    parallel_for(shards, threads, job);
    ValueAndGradient found;
    for (const double value : values) found.value += value;
    found.gradient = combined(lists, slopes);
    return found;
}

std::vector<double> combined(const CandidateLists& lists, std::span<const double> factors) {
    if (factors.size() != lists.size()) throw Error("there are not as many factors as candidates");
    std::vector<double> sums(lists.feature_count, 0.0);
    for (std::size_t candidate = 0; candidate < lists.size(); ++candidate) {
        listen_at<1024>(candidate);
        if (factors[candidate] == 0.0) continue;
        const auto ids = lists.features.ids_of(candidate);
        const auto values = lists.features.values_of(candidate);
        for (std::size_t at = 0; at < ids.size(); ++at) sums[ids[at]] += factors[candidate] * double{values[at]};
    }
    return sums;
}

}  // namespace pentaglot
