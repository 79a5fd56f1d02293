#include "rules/join_tables.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pentaglot {

namespace {

std::string_view bytes_of(std::span<const Symbol> symbols) {
    return {reinterpret_cast<const char*>(symbols.data()), symbols.size_bytes()};
}

// Two source sides are the same if these numbers are.
std::vector<std::uint32_t> identity(const RuleTable& table, std::size_t pattern) {
    const PatternTraits traits = table.traits(pattern);
    // Unambiguous: the first two numbers say how long the signature and the places are, the symbols how many labels
    // follow.
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(traits.signature.size()),
                                   static_cast<std::uint32_t>(traits.places.size()), traits.label,
                                   traits.any_length ? 1U : 0U, traits.has_signature ? 1U : 0U};
    for (const Symbol symbol : table.source(pattern)) key.push_back(static_cast<std::uint32_t>(symbol));
    key.insert(key.end(), traits.gap_labels.begin(), traits.gap_labels.end());
    for (const SymbolEdge& edge : traits.signature) key.insert(key.end(), {edge.from, edge.to, edge.kind});
    key.insert(key.end(), traits.places.begin(), traits.places.end());
    return key;
}

class Joiner {
  public:
    Joiner(const RuleTable& one, const RuleTable& other, RuleTable& joined)
        : one_(one), other_(other), joined_(joined) {
        joined.feature_ids = one.feature_ids;
        for (const FeatureId id : other.feature_ids) {
            if (std::find(joined.feature_ids.begin(), joined.feature_ids.end(), id) == joined.feature_ids.end())
                joined.feature_ids.push_back(id);
        }
        joined.features.resize(joined.feature_ids.size());
        reordered_ = !one.reordering.empty() || !other.reordering.empty();
        columns_of_one_ = columns(one);
        columns_of_other_ = columns(other);
    }

    void append(const RuleTable& table) {
        for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
            add_pattern(table, pattern, table.occurrences[pattern], table.attempts[pattern], table.successes[pattern]);
            add_rules(table, pattern);
        }
    }

    void merge() {
        std::map<std::vector<std::uint32_t>, std::size_t> patterns;  // of the other table
        for (std::size_t pattern = other_.patterns(); pattern-- > 0;) patterns[identity(other_, pattern)] = pattern;
        std::vector<std::uint8_t> done(other_.patterns());
        for (std::size_t pattern = 0; pattern < one_.patterns(); ++pattern) {
            const auto found = patterns.find(identity(one_, pattern));
            if (found == patterns.end() || done[found->second] != 0) {
                add_pattern(one_, pattern, one_.occurrences[pattern], one_.attempts[pattern], one_.successes[pattern]);
                add_rules(one_, pattern);
                continue;
            }
            done[found->second] = 1;
            merge_patterns(pattern, found->second);
        }
        for (std::size_t pattern = 0; pattern < other_.patterns(); ++pattern) {
            if (done[pattern] != 0) continue;
            add_pattern(other_, pattern, other_.occurrences[pattern], other_.attempts[pattern],
                        other_.successes[pattern]);
            add_rules(other_, pattern);
        }
    }

  private:
    std::vector<std::size_t> columns(const RuleTable& table) const {
        std::vector<std::size_t> places;
        for (const FeatureId id : table.feature_ids) {
            const auto found = std::find(joined_.feature_ids.begin(), joined_.feature_ids.end(), id);
            places.push_back(static_cast<std::size_t>(found - joined_.feature_ids.begin()));
        }
        return places;
    }

    void add_pattern(const RuleTable& table, std::size_t pattern, std::uint64_t occurrences, std::uint32_t attempts,
                     std::uint32_t successes) {
        joined_.add_pattern(table.source(pattern), occurrences, attempts, successes, table.traits(pattern));
    }

    static std::span<const Sighting> sightings(const RuleTable& table, std::size_t rule) {
        return std::span(table.sightings)
            .subspan(table.sighting_offsets[rule], table.sighting_offsets[rule + 1] - table.sighting_offsets[rule]);
    }

    void add_rule(const RuleTable& table, std::size_t rule, float count, std::span<const Sighting> where) {
        joined_.add_rule(table.target(rule), table.links_of(rule), count, where);
        if (reordered_) {
            joined_.reordering.resize(joined_.rules());
            if (!table.reordering.empty()) joined_.reordering.back() = table.reordering[rule];
        }
    }

    void copy_features(const RuleTable& table, std::size_t rule) {
        const auto& places = &table == &one_ ? columns_of_one_ : columns_of_other_;
        for (std::size_t column = 0; column < places.size(); ++column)
            joined_.features[places[column]].back() = table.features[column][rule];
    }

    // Copies those sparse features of the same rule in the other table that the first table does not have.
    void copy_sparse_unknown(std::size_t rule, std::size_t same) {
        const auto known = one_.sparse.ids_of(rule);
        const auto ids = other_.sparse.ids_of(same);
        const auto values = other_.sparse.values_of(same);
        for (std::size_t at = 0; at < ids.size(); ++at) {
            if (std::ranges::find(known, ids[at]) == known.end() &&
                std::ranges::find(one_.feature_ids, ids[at]) == one_.feature_ids.end())
                joined_.sparse.add(ids[at], values[at]);
        }
    }

    void add_rules(const RuleTable& table, std::size_t pattern) {
        for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule) {
            add_rule(table, rule, table.counts[rule], sightings(table, rule));
            copy_features(table, rule);
            joined_.sparse.add_row_of(table.sparse, rule);
        }
    }

    void merge_patterns(std::size_t pattern, std::size_t same) {
        add_pattern(one_, pattern, one_.occurrences[pattern] + other_.occurrences[same],
                    one_.attempts[pattern] + other_.attempts[same], one_.successes[pattern] + other_.successes[same]);
        std::unordered_map<std::string_view, std::size_t> rules;  // of the other pattern
        for (std::size_t rule = other_.rule_offsets[same]; rule < other_.rule_offsets[same + 1]; ++rule)
            rules.emplace(bytes_of(other_.target(rule)), rule);
        std::vector<Sighting> where;
        for (std::size_t rule = one_.rule_offsets[pattern]; rule < one_.rule_offsets[pattern + 1]; ++rule) {
            const auto found = rules.find(bytes_of(one_.target(rule)));
            const auto seen = sightings(one_, rule);
            where.assign(seen.begin(), seen.end());
            if (found == rules.end()) {
                add_rule(one_, rule, one_.counts[rule], where);
                joined_.sparse.add_row_of(one_.sparse, rule);
            } else {
                const auto more = sightings(other_, found->second);
                where.insert(where.end(), more.begin(), more.end());
                add_rule(one_, rule, one_.counts[rule] + other_.counts[found->second], where);
                copy_features(other_, found->second);
                joined_.sparse.add_row_of(one_.sparse, rule);
                copy_sparse_unknown(rule, found->second);
                rules.erase(found);
            }
            copy_features(one_, rule);
        }
        for (std::size_t rule = other_.rule_offsets[same]; rule < other_.rule_offsets[same + 1]; ++rule) {
            if (!rules.contains(bytes_of(other_.target(rule)))) continue;
            add_rule(other_, rule, other_.counts[rule], sightings(other_, rule));
            copy_features(other_, rule);
            joined_.sparse.add_row_of(other_.sparse, rule);
        }
    }

    const RuleTable& one_;
    const RuleTable& other_;
    RuleTable& joined_;
    bool reordered_ = false;
    std::vector<std::size_t> columns_of_one_, columns_of_other_;
};

}  // namespace

RuleTable join_tables(const RuleTable& one, const RuleTable& other, bool merge) {
    RuleTable joined;
    Joiner joiner(one, other, joined);
    if (merge) {
        joiner.merge();
    } else {
        joiner.append(one);
        joiner.append(other);
    }
    return joined;
}

}  // namespace pentaglot
