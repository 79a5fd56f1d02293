#include "learn/spread.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/listening.hpp"

namespace pentaglot {

std::vector<double> feature_spread(const CandidateLists& lists) {
    std::vector<double> variance(lists.feature_count, 0.0), sums(lists.feature_count, 0.0),
        squares(lists.feature_count, 0.0);
    std::vector<std::uint32_t> seen;
    for (std::size_t sentence = 0; sentence < lists.sentence_count(); ++sentence) {
        const std::size_t begin = lists.sentences[sentence], end = lists.sentences[sentence + 1];
        if (begin == end) continue;
        listen_at<16>(sentence);
        // Two passes, so that features with large values and small differences are not lost in rounding.
        const auto size = static_cast<double>(end - begin);
        seen.clear();
        for (std::size_t candidate = begin; candidate < end; ++candidate) {
            const auto ids = lists.features.ids_of(candidate);
            const auto values = lists.features.values_of(candidate);
            for (std::size_t at = 0; at < ids.size(); ++at) {
                if (squares[ids[at]] == 0.0) seen.push_back(ids[at]);
                squares[ids[at]] += 1.0;  // candidates that have it
                sums[ids[at]] += double{values[at]};
            }
        }
        for (const std::uint32_t id : seen) {
            sums[id] /= size;
            variance[id] += (size - squares[id]) * sums[id] * sums[id];  // those where it is zero
        }
        for (std::size_t candidate = begin; candidate < end; ++candidate) {
            const auto ids = lists.features.ids_of(candidate);
            const auto values = lists.features.values_of(candidate);
            for (std::size_t at = 0; at < ids.size(); ++at) {
                const double difference = double{values[at]} - sums[ids[at]];
                variance[ids[at]] += difference * difference;
            }
        }
        for (const std::uint32_t id : seen) sums[id] = squares[id] = 0.0;
    }
    for (double& each : variance) each = lists.size() == 0 ? 0.0 : std::sqrt(each / static_cast<double>(lists.size()));
    return variance;
}

}  // namespace pentaglot
