#include "rules/fallbacks.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "base/listening.hpp"

namespace pentaglot {

namespace {

constexpr std::size_t most_parts = 4;
constexpr std::size_t longest_side = 250;  // places in a rule are kept in a byte

class Adder {
  public:
    Adder(RuleTable& table, const RuleTable& of_words, const FallbackFeatures& features)
        : table_(table), from_(of_words), features_(features) {
        for (std::size_t pattern = 0; pattern < from_.patterns(); ++pattern) {
            const auto source = from_.source(pattern);
            const bool has_rules = from_.rule_offsets[pattern] < from_.rule_offsets[pattern + 1];
            if (source.size() == 1 && !is_tail(source[0]) && has_rules)
                own_[static_cast<WordId>(source[0])].push_back(pattern);  // several corpora may have it
        }
        if (!from_.reordering.empty() || !table_.reordering.empty()) table_.reordering.resize(table_.rules());
    }

    bool add(const StandIn& stand_in) {
        if (stand_in.word > INT32_MAX || stand_in.like.empty() || stand_in.like.size() > most_parts)
            throw Error("a stand-in needs a word, and one to four words that it is treated like");
        for (const WordId like : stand_in.like) {
            if (!own_.contains(like)) return false;
        }
        const auto symbol = static_cast<Symbol>(stand_in.word);
        const std::size_t first = own_.at(stand_in.like.front()).front();
        const bool one = stand_in.like.size() == 1;
        table_.add_pattern(std::span(&symbol, 1), one ? from_.occurrences[first] : 0, one ? from_.attempts[first] : 0,
                           one ? from_.successes[first] : 0);
        if (one) {
            for (const std::size_t rule : rules_of(stand_in.like.front())) add_rule({&rule, 1}, stand_in);
        } else {
            add_combinations(stand_in);
        }
        return true;
    }

  private:
    std::vector<std::size_t> rules_of(WordId word) const {
        std::vector<std::size_t> rules;
        for (const std::size_t pattern : own_.at(word)) {
            for (std::size_t rule = from_.rule_offsets[pattern]; rule < from_.rule_offsets[pattern + 1]; ++rule)
                rules.push_back(rule);
        }
        return rules;
    }

    void add_combinations(const StandIn& stand_in) {
        std::vector<std::vector<std::size_t>> ways{{}};
        for (const WordId part : stand_in.like) {
            auto rules = rules_of(part);
            std::ranges::stable_sort(rules, [this](std::size_t one, std::size_t other) {
                if (from_.counts[one] != from_.counts[other]) return from_.counts[one] > from_.counts[other];
                return from_.target(one).size() < from_.target(other).size();
            });
            rules.resize(std::min(rules.size(), rules_of_part));
            std::vector<std::vector<std::size_t>> longer;
            for (const auto& way : ways) {
                for (const std::size_t rule : rules) {
                    longer.push_back(way);
                    longer.back().push_back(rule);
                }
            }
            ways = std::move(longer);
        }
        for (const auto& way : ways) add_rule(way, stand_in);
    }

    // The target sides of some rules, one after the other.
    void add_rule(std::span<const std::size_t> rules, const StandIn& stand_in) {
        listen();
        std::vector<Symbol> target;
        std::vector<RuleLink> links;
        std::vector<Sighting> sightings;
        float count = from_.counts[rules.front()];
        for (const std::size_t rule : rules) {
            for (const RuleLink link : from_.links_of(rule)) {
                const std::size_t at = target.size() + link.target;
                if (at < longest_side) links.push_back({0, static_cast<std::uint8_t>(at)});
            }
            const auto side = from_.target(rule);
            target.insert(target.end(), side.begin(), side.end());
            count = std::min(count, from_.counts[rule]);
            for (std::size_t at = from_.sighting_offsets[rule]; at < from_.sighting_offsets[rule + 1]; ++at)
                sightings.push_back(from_.sightings[at]);
        }
        if (target.size() > longest_side || std::ranges::any_of(target, is_tail)) return;
        table_.add_rule(target, links, count, sightings);
        const std::size_t added = table_.rules() - 1;
        for (std::size_t column = 0; column < from_.features.size(); ++column) {
            float sum = 0;
            for (const std::size_t rule : rules) sum += from_.features[column][rule];
            table_.column(from_.feature_ids[column])[added] = sum / static_cast<float>(rules.size());
        }
        for (const std::size_t rule : rules) {
            for (std::size_t at = from_.sparse.offsets[rule]; at < from_.sparse.offsets[rule + 1]; ++at)
                table_.sparse.add(from_.sparse.ids[at], from_.sparse.values[at] / static_cast<float>(rules.size()));
        }
        table_.column(features_.rules)[added] = 1;
        table_.column(features_.words)[added] = static_cast<float>(target.size());
        table_.column(features_.distance)[added] = stand_in.distance;
        table_.column(stand_in.kind)[added] = 1;
        if (!from_.reordering.empty()) {
            table_.reordering.resize(table_.rules());
            table_.reordering[added] = {from_.reordering[rules.front()].before, from_.reordering[rules.back()].after};
        }
    }

    RuleTable& table_;
    const RuleTable& from_;
    const FallbackFeatures& features_;
    std::unordered_map<WordId, std::vector<std::size_t>> own_;  // patterns of one word
};

}  // namespace

std::vector<std::uint32_t> add_stand_ins(RuleTable& table, const RuleTable& of_words,
                                         std::span<const StandIn> stand_ins, const FallbackFeatures& features) {
    Adder adder(table, of_words, features);
    std::vector<std::uint32_t> added;
    for (std::size_t number = 0; number < stand_ins.size(); ++number) {
        if (adder.add(stand_ins[number])) added.push_back(static_cast<std::uint32_t>(number));
    }
    return added;
}

}  // namespace pentaglot
