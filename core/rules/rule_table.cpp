#include "rules/rule_table.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace pentaglot {

namespace {

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

// Gaps of the source side must come as 0, 1, 2, ...; the target side must have each of them once.
void check_gaps(std::span<const Symbol> source, std::span<const Symbol> target, std::size_t rule) {
    std::size_t gaps = 0;
    for (const Symbol symbol : source) {
        if (is_tail(symbol) && tail_of(symbol) != gaps++)
            throw Error("the gaps of a rule's source side are out of order");
    }
    std::uint64_t seen = 0;
    for (const Symbol symbol : target) {
        if (!is_tail(symbol)) continue;
        const std::size_t gap = tail_of(symbol);
        if (gap >= gaps || gap >= 64 || ((seen >> gap) & 1U) != 0) {
            throw Error("rule " + std::to_string(rule) +
                        " has a gap on its target side that its source side lacks, or has it twice");
        }
        seen |= std::uint64_t{1} << gap;
    }
    if (gaps < 64 && seen != (std::uint64_t{1} << gaps) - 1) {
        throw Error("rule " + std::to_string(rule) + " lacks a gap on its target side");
    }
}

}  // namespace

void RuleTable::add_pattern(std::span<const Symbol> symbols, std::uint64_t seen, std::uint32_t tried,
                            std::uint32_t translated) {
    source_symbols.insert(source_symbols.end(), symbols.begin(), symbols.end());
    source_offsets.push_back(offset(source_symbols.size()));
    left_labels.push_back(0);
    signatures.push_back(0);
    occurrences.push_back(seen);
    attempts.push_back(tried);
    successes.push_back(translated);
    gap_labels.resize(
        gap_labels.size() + static_cast<std::size_t>(std::count_if(symbols.begin(), symbols.end(), is_tail)), 0);
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

std::vector<float> RuleTable::scores(std::span<const double> weights) const {
    std::vector<float> sums(rules(), 0);
    for (std::size_t column = 0; column < features.size(); ++column) {
        if (feature_ids[column] >= weights.size()) continue;
        const auto weight = static_cast<float>(weights[feature_ids[column]]);
        for (std::size_t rule = 0; rule < sums.size(); ++rule) sums[rule] += weight * features[column][rule];
    }
    return sums;
}

void RuleTable::check() const {
    for (const auto& column :
         {left_labels.size(), signatures.size(), occurrences.size(), attempts.size(), successes.size()}) {
        if (column != patterns()) throw Error("the rule table's pattern columns differ in length");
    }
    check_offsets(source_offsets, patterns(), source_symbols.size(), "source sides");
    check_offsets(rule_offsets, patterns(), rules(), "patterns and rules");
    check_offsets(gap_label_offsets, patterns(), gap_labels.size(), "gap labels");
    check_offsets(target_offsets, rules(), target_symbols.size(), "target sides");
    check_offsets(link_offsets, rules(), links.size(), "links");
    check_offsets(sighting_offsets, rules(), sightings.size(), "sightings");
    if (!reordering.empty() && reordering.size() != rules())
        throw Error("the rule table's reordering rows are not one for each rule");
    if (feature_ids.size() != features.size()) throw Error("the rule table's feature ids and columns differ in number");
    for (const auto& column : features) {
        if (column.size() != rules())
            throw Error("a feature column of the rule table does not have one value for each rule");
    }
    for (std::size_t pattern = 0; pattern < patterns(); ++pattern) {
        for (std::size_t rule = rule_offsets[pattern]; rule < rule_offsets[pattern + 1]; ++rule) {
            check_gaps(source(pattern), target(rule), rule);
            for (const RuleLink link : links_of(rule)) {
                if (link.source >= source(pattern).size() || link.target >= target(rule).size()) {
                    throw Error("a link of rule " + std::to_string(rule) + " points outside it");
                }
            }
        }
    }
}

}  // namespace pentaglot
