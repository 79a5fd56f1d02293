#include "search/phrase_options.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "search/chart_match.hpp"

namespace pentaglot {

PhraseLattice::PhraseLattice(const Input& input, const RuleTable& table, const FeatureSet& features,
                             const RankedRules& ranked, std::uint32_t max_span, std::uint32_t most, const Watch& watch)
    : positions_(input.nodes() - 1) {
    if (!table.gap_labels.empty()) {
        throw Error("the stack search has no use for rules with gaps, and there are some");
    }
    ChartMatcher matcher(input, table, {max_span, 1});
    const auto visit = [&](std::uint32_t from, std::uint32_t to, Analysis analysis, std::span<const Match> matches) {
        watch.check_cancelled();
        // In a lattice several words may lead between the same nodes; those with other scores are other options.
        std::map<float, std::vector<std::uint32_t>> by_input;
        for (const Match& match : matches) {
            const auto rules = ranked.rules(match.pattern);
            auto& list = by_input[match.input];
            list.insert(list.end(), rules.begin(), rules.end());
        }
        for (auto& [score, rules] : by_input) {
            std::sort(rules.begin(), rules.end(), [&](std::uint32_t one, std::uint32_t other) {
                return ranked.estimate(one) != ranked.estimate(other) ? ranked.estimate(one) > ranked.estimate(other)
                                                                      : one < other;
            });
            rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
            if (most > 0) rules.resize(std::min<std::size_t>(rules.size(), most));
            if (!rules.empty()) options_.push_back({from, to, analysis.words, score, std::move(rules)});
        }
        return true;
    };
    matcher.run(visit, [](std::uint32_t) {});
    estimate_future(features, ranked, watch);
}

void PhraseLattice::estimate_future(const FeatureSet& features, const RankedRules& ranked, const Watch& watch) {
    future_.assign((positions_ + 1) * (positions_ + 1), -std::numeric_limits<float>::infinity());
    for (std::size_t at = 0; at <= positions_; ++at) between(at, at) = 0;
    for (const PhraseOptions& option : options_) {
        float& best = between(option.begin, option.end);
        const InputPart part{option.begin, option.end, option.input};
        best = std::max(best, ranked.estimate(option.rules.front()) + features.estimate(part));
    }
    for (std::size_t length = 2; length <= positions_; ++length) {
        watch.check_cancelled();
        for (std::size_t begin = 0; begin + length <= positions_; ++begin) {
            float& best = between(begin, begin + length);
            for (std::size_t middle = begin + 1; middle < begin + length; ++middle) {
                best = std::max(best, between(begin, middle) + between(middle, begin + length));
            }
        }
    }
}

}  // namespace pentaglot
