#include "rules/rule_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/error.hpp"
#include "rules/extract.hpp"

namespace pentaglot {

namespace {

// Sums of such numbers over all rules of a sentence are still finite.
constexpr float largest_value = 1e15F;
constexpr float largest_score_of_rule = 1e30F;

std::uint32_t offset(std::size_t size) {
    if (size > UINT32_MAX) throw Error("a rule table holds at most 2^32 symbols");
    return static_cast<std::uint32_t>(size);
}

void check_offsets(std::span<const std::uint32_t> offsets, std::size_t owners, std::size_t things, const char* what) {
    if (offsets.size() != owners + 1 || offsets.front() != 0 || offsets.back() != things ||
        !std::is_sorted(offsets.begin(), offsets.end())) {
        throw Error(std::string("the rule table's ") + what + " do not fit together");
    }
}

// Without a branch for each value: a table has many.
void check_values(std::span<const float> values, float most, const char* what) {
    bool good = true;
    for (const float value : values) good &= std::abs(value) <= most;
    if (!good) throw Error(std::string(what) + " is not a usable number");
}

}  // namespace

std::size_t count_gaps(std::span<const Symbol> source) {
    if (source.empty()) throw Error("the source side of a rule is empty");
    std::size_t gaps = 0;
    for (const Symbol symbol : source) {
        if (is_tail(symbol) && tail_of(symbol) != gaps++)
            throw Error("the gaps of a rule's source side are out of order");
    }
    if (gaps > max_gaps) throw Error("a rule may have at most 6 gaps");
    return gaps;
}

void check_rule(std::span<const Symbol> source, std::span<const Symbol> target, std::span<const RuleLink> links,
                std::size_t rule) {
    const std::size_t gaps = count_gaps(source);
    std::uint64_t seen = 0;
    for (const Symbol symbol : target) {
        if (!is_tail(symbol)) continue;
        const std::size_t gap = tail_of(symbol);
        if (gap >= gaps || ((seen >> gap) & 1U) != 0) {
            throw Error("rule " + std::to_string(rule) +
                        " has a gap on its target side that its source side lacks, or has it twice");
        }
        seen |= std::uint64_t{1} << gap;
    }
    if (seen != (std::uint64_t{1} << gaps) - 1) {
        throw Error("rule " + std::to_string(rule) + " lacks a gap on its target side");
    }
    for (const RuleLink link : links) {
        if (link.source >= source.size() || link.target >= target.size()) {
            throw Error("a link of rule " + std::to_string(rule) + " points outside it");
        }
    }
}

void check_traits(std::span<const Symbol> source, const PatternTraits& traits) {
    const std::size_t gaps = count_gaps(source);
    if (!traits.gap_labels.empty() && traits.gap_labels.size() != gaps)
        throw Error("every gap of a source side needs its label");
    const auto no_label = [](std::uint32_t label) { return label >= RuleTable::most_labels; };
    if (no_label(traits.label) || std::ranges::any_of(traits.gap_labels, no_label))
        throw Error("a label is a number below " + std::to_string(RuleTable::most_labels));
    if (traits.any_length && gaps > 0) throw Error("only a source side without gaps may have any length");
    if (traits.has_signature) check_signature(traits.signature, source.size());
    if (traits.places.empty()) return;
    if (gaps > 0 || traits.places.size() != source.size())
        throw Error("a source side with places has one for each of its words, and no gaps");
    if (std::ranges::adjacent_find(traits.places, std::greater_equal<>()) != traits.places.end())
        throw Error("the places of a source side must be in order, each once");
}

void RuleTable::add_pattern(std::span<const Symbol> symbols, std::uint64_t seen, std::uint32_t tried,
                            std::uint32_t translated, const PatternTraits& traits) {
    // Columns that hardly any table needs are made for the first pattern that needs them.
    if (!traits.places.empty() && place_offsets.empty()) place_offsets.assign(patterns() + 1, 0);
    if (traits.has_signature && signature_offsets.empty()) signature_offsets.assign(patterns() + 1, 0);
    places.insert(places.end(), traits.places.begin(), traits.places.end());
    if (!place_offsets.empty()) place_offsets.push_back(offset(places.size()));
    signature_edges.insert(signature_edges.end(), traits.signature.begin(), traits.signature.end());
    if (!signature_offsets.empty()) signature_offsets.push_back(offset(signature_edges.size()));
    source_symbols.insert(source_symbols.end(), symbols.begin(), symbols.end());
    source_offsets.push_back(offset(source_symbols.size()));
    left_labels.push_back(traits.label);
    any_length.push_back(traits.any_length ? 1 : 0);
    has_signature.push_back(traits.has_signature ? 1 : 0);
    occurrences.push_back(seen);
    attempts.push_back(tried);
    successes.push_back(translated);
    if (traits.gap_labels.empty()) {
        const auto gaps = static_cast<std::size_t>(std::count_if(symbols.begin(), symbols.end(), is_tail));
        gap_labels.resize(gap_labels.size() + gaps, 0);
    } else {
        gap_labels.insert(gap_labels.end(), traits.gap_labels.begin(), traits.gap_labels.end());
    }
    gap_label_offsets.push_back(offset(gap_labels.size()));
    rule_offsets.push_back(rule_offsets.back());
}

void RuleTable::add_rule(std::span<const Symbol> symbols, std::span<const RuleLink> inner, float count,
                         std::span<const Sighting> where) {
    if (patterns() == 0) throw Error("a rule needs a pattern to belong to");
    target_symbols.insert(target_symbols.end(), symbols.begin(), symbols.end());
    target_offsets.push_back(offset(target_symbols.size()));
    links.insert(links.end(), inner.begin(), inner.end());
    link_offsets.push_back(offset(links.size()));
    sightings.insert(sightings.end(), where.begin(), where.end());
    sighting_offsets.push_back(offset(sightings.size()));
    counts.push_back(count);
    for (auto& column : features) column.push_back(0);
    sparse.add_row();
    if (!reordering.empty()) reordering.emplace_back();
    rule_offsets.back() = offset(rules());
}

std::vector<float>& RuleTable::column(FeatureId id) {
    for (std::size_t at = 0; at < feature_ids.size(); ++at) {
        if (feature_ids[at] == id) return features[at];
    }
    feature_ids.push_back(id);
    return features.emplace_back(rules(), 0.0F);
}

std::vector<float> RuleTable::values_of(FeatureId id) const {
    const auto found = std::find(feature_ids.begin(), feature_ids.end(), id);
    std::vector<float> values = found == feature_ids.end()
                                    ? std::vector<float>(rules(), 0.0F)
                                    : features[static_cast<std::size_t>(found - feature_ids.begin())];
    sparse.add_column(id, values);
    return values;
}

void RuleTable::set_values(FeatureId id, std::span<const float> values) {
    sparse.remove(id);
    column(id).assign(values.begin(), values.end());
}

void RuleTable::collect_features(std::size_t rule, std::vector<FeatureId>& ids, std::vector<float>& values) const {
    const auto add = [&](FeatureId id, float value) {
        if (value == 0) return;
        ids.push_back(id);
        values.push_back(value);
    };
    for (std::size_t column = 0; column < features.size(); ++column) add(feature_ids[column], features[column][rule]);
    for (std::size_t at = sparse.offsets[rule]; at < sparse.offsets[rule + 1]; ++at)
        add(sparse.ids[at], sparse.values[at]);
}

std::vector<float> RuleTable::scores(std::span<const double> weights) const {
    std::vector<float> sums(rules(), 0);
    for (std::size_t column = 0; column < features.size(); ++column) {
        if (feature_ids[column] >= weights.size()) continue;
        const auto weight = static_cast<float>(weights[feature_ids[column]]);
        for (std::size_t rule = 0; rule < sums.size(); ++rule) sums[rule] += weight * features[column][rule];
    }
    sparse.add_scores(weights, sums);
    check_values(sums, largest_score_of_rule, "the score of a rule");
    return sums;
}

void RuleTable::check() const {
    for (const auto& column : {left_labels.size(), has_signature.size(), any_length.size(), occurrences.size(),
                               attempts.size(), successes.size()}) {
        if (column != patterns()) throw Error("the rule table's pattern columns differ in length");
    }
    check_offsets(source_offsets, patterns(), source_symbols.size(), "source sides");
    check_offsets(rule_offsets, patterns(), rules(), "patterns and rules");
    check_offsets(gap_label_offsets, patterns(), gap_labels.size(), "gap labels");
    if (!signature_offsets.empty() || !signature_edges.empty())
        check_offsets(signature_offsets, patterns(), signature_edges.size(), "signatures");
    if (!place_offsets.empty() || !places.empty())
        check_offsets(place_offsets, patterns(), places.size(), "places of source sides");
    for (std::size_t pattern = 0; pattern < patterns(); ++pattern) {
        if (any_length[pattern] > 1 || has_signature[pattern] > 1 ||
            (has_signature[pattern] == 0 && !signature(pattern).empty()) ||
            labels_of_gaps(pattern).size() != count_gaps(source(pattern)))
            throw Error("the rule table's pattern columns contradict each other");
        check_traits(source(pattern), traits(pattern));
    }
    check_offsets(target_offsets, rules(), target_symbols.size(), "target sides");
    check_offsets(link_offsets, rules(), links.size(), "links");
    check_offsets(sighting_offsets, rules(), sightings.size(), "sightings");
    check_values(counts, largest_value, "the count of a rule");
    if (!reordering.empty() && reordering.size() != rules())
        throw Error("the rule table's reordering rows are not one for each rule");
    if (feature_ids.size() != features.size()) throw Error("the rule table's feature ids and columns differ in number");
    for (const auto& column : features) {
        if (column.size() != rules())
            throw Error("a feature column of the rule table does not have one value for each rule");
        check_values(column, largest_value, "a feature of a rule");
    }
    sparse.check(rules());
    check_values(sparse.values, largest_value, "a feature of a rule");
    for (const ReorderingRow& row : reordering) {
        check_values(row.before, largest_value, "the chance of an orientation");
        check_values(row.after, largest_value, "the chance of an orientation");
    }
    for (std::size_t pattern = 0; pattern < patterns(); ++pattern) {
        for (std::size_t rule = rule_offsets[pattern]; rule < rule_offsets[pattern + 1]; ++rule) {
            check_rule(source(pattern), target(rule), links_of(rule), rule);
        }
    }
}

}  // namespace pentaglot
