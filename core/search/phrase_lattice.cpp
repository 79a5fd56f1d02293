#include "search/phrase_lattice.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "search/chart_match.hpp"
#include "search/pattern_conditions.hpp"

namespace pentaglot {

PhraseLattice::PhraseLattice(const Input& input, const RuleTable& table, const FeatureSet& features,
                             const RankedRules& ranked, std::uint32_t max_span, std::uint32_t most,
                             const WholeLabels& labels, const Watch& watch)
    : positions_(input.nodes() - 1), most_(most) {
    if (!table.gap_labels.empty()) {
        throw Error("the stack search cannot use rules with gaps");
    }
    add_neighbours(input, table, ranked, max_span, labels, watch);
    if (!table.places.empty()) add_apart(input, table, ranked, max_span, labels, watch);
    estimate_future(features, ranked, watch);
}

std::vector<std::uint32_t> PhraseLattice::best(std::vector<std::uint32_t> rules, const RankedRules& ranked) const {
    std::sort(rules.begin(), rules.end(), [&](std::uint32_t one, std::uint32_t other) {
        return ranked.estimate(one) != ranked.estimate(other) ? ranked.estimate(one) > ranked.estimate(other)
                                                              : one < other;
    });
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    if (most_ > 0) rules.resize(std::min<std::size_t>(rules.size(), most_));
    return rules;
}

void PhraseLattice::add_neighbours(const Input& input, const RuleTable& table, const RankedRules& ranked,
                                   std::uint32_t max_span, const WholeLabels& labels, const Watch& watch) {
    ChartMatcher matcher(input, table, {max_span, 1});
    const auto visit = [&](std::uint32_t from, std::uint32_t to, Analysis analysis, std::span<const Match> matches) {
        watch.check_cancelled();
        const bool whole = from == 0 && to == positions_ && labels.may_start(analysis.label);
        if (!whole && !labels.may_glue(analysis.label)) return false;
        // In a lattice several words may lead between the same nodes; those with different scores are different
        // options.
        std::map<float, std::vector<std::uint32_t>> by_input;
        for (const Match& match : matches) {
            const auto rules = ranked.rules(match.pattern);
            auto& list = by_input[match.input];
            list.insert(list.end(), rules.begin(), rules.end());
        }
        for (auto& [score, rules] : by_input) {
            auto kept = best(std::move(rules), ranked);
            if (!kept.empty()) options_.push_back({from, to, analysis.words, score, std::move(kept), {}});
        }
        return true;
    };
    matcher.run(visit, [](std::uint32_t) {});
}

void PhraseLattice::add_apart(const Input& input, const RuleTable& table, const RankedRules& ranked,
                              std::uint32_t max_span, const WholeLabels& labels, const Watch& watch) {
    PatternConditions conditions(input, table);
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> by_places;
    for (std::uint32_t pattern = 0; pattern < table.patterns(); ++pattern) {
        if (pattern % Watch::interval == 0) watch.check_cancelled();
        const auto places = table.places_of(pattern);
        const bool fits = places.size() <= max_span || table.any_length[pattern] != 0;
        if (!table.is_apart(pattern) || !fits || !labels.may_glue(table.left_labels[pattern])) continue;
        if (!conditions.hold_apart(pattern)) continue;
        auto& list = by_places[{places.begin(), places.end()}];
        list.insert(list.end(), ranked.rules(pattern).begin(), ranked.rules(pattern).end());
    }
    for (auto& [places, rules] : by_places) {
        auto kept = best(std::move(rules), ranked);
        if (kept.empty()) continue;
        float score = 0;
        for (const std::uint32_t place : places) score += input.words()[place].score;
        const auto words = static_cast<std::uint32_t>(places.size());
        options_.push_back({places.front(), places.back() + 1, words, score, std::move(kept), places});
    }
    if (!by_places.empty()) find_scarce();
}

void PhraseLattice::find_scarce() {
    std::vector<std::vector<std::size_t>> by_word(positions_);
    for (std::size_t number = 0; number < options_.size(); ++number) {
        const PhraseGroup& option = options_[number];
        for (std::uint32_t at = 0; at < option.covered(); ++at)
            by_word[option.places.empty() ? option.begin + at : option.places[at]].push_back(number);
    }
    for (std::size_t word = 0; word < by_word.size(); ++word) {
        const auto alone = [&](std::size_t number) { return options_[number].covered() == 1; };
        if (std::ranges::none_of(by_word[word], alone)) scarce_.push_back({word, std::move(by_word[word])});
    }
}

void PhraseLattice::estimate_future(const FeatureSet& features, const RankedRules& ranked, const Watch& watch) {
    future_.assign((positions_ + 1) * (positions_ + 1), -std::numeric_limits<float>::infinity());
    for (std::size_t at = 0; at <= positions_; ++at) between(at, at) = 0;
    for (const PhraseGroup& option : options_) {
        const InputPart part{option.begin, option.end, option.input};
        const float guess = ranked.estimate(option.rules.front()) + features.estimate(part);
        if (option.places.empty()) {
            float& best = between(option.begin, option.end);
            best = std::max(best, guess);
            continue;
        }
        for (const std::uint32_t place : option.places) {
            float& best = between(place, place + 1);
            best = std::max(best, guess / static_cast<float>(option.places.size()));
        }
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
