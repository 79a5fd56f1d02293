#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/forest.hpp"
#include "rules/signature.hpp"
#include "rules/sparse_features.hpp"

namespace pentaglot {

// Ids from here on are words of the sentence at hand; no vocabulary has them.
constexpr WordId sentence_words = 1U << 30U;

// A link inside a rule: places of the two symbols, counted from the beginning of their side.
struct RuleLink {
    std::uint8_t source;
    std::uint8_t target;
    friend bool operator==(const RuleLink&, const RuleLink&) = default;
};

// Where a rule was seen: a sentence of a corpus and the source position of the rule's first word there.
struct Sighting {
    std::uint32_t corpus;
    std::uint32_t sentence;
    std::uint32_t position;
};

enum class Orientation : std::uint8_t { monotone = 0, swapped = 1, discontinuous = 2 };

struct ReorderingRow {
    std::array<float, 3> before{}, after{};  // by orientation
    friend bool operator==(const ReorderingRow&, const ReorderingRow&) = default;
};

// How many gaps a source side has. Throws Error if it is empty, or if its gaps are not numbered 0, 1, 2, ... in order,
// or are too many for a search.
std::size_t count_gaps(std::span<const Symbol> source);
// Throws Error unless the sides of rule number `rule` have the same gaps and its links lie inside.
void check_rule(std::span<const Symbol> source, std::span<const Symbol> target, std::span<const RuleLink> links,
                std::size_t rule);

// What a source side has besides its symbols. A view: it refers to what it was made from.
struct PatternTraits {
    std::uint32_t label = 0;                    // what it makes; 0 is X
    std::span<const std::uint32_t> gap_labels;  // what its gaps take; empty: X each
    bool any_length = false;                    // exempt from limits on spans (a remembered sentence)
    bool has_signature = false;
    std::span<const SymbolEdge> signature;  // it fits only where this is found, if it has one: see find_signature()
    // The words of this very sentence that it covers, one for each symbol, in order; not necessarily neighbours. Empty:
    // it fits wherever its symbols stand.
    std::span<const std::uint32_t> places;
};

// Throws Error unless a source side may have these traits.
void check_traits(std::span<const Symbol> source, const PatternTraits& traits);

// The rules of one sentence, by columns. Source sides are stored once, as patterns; the rules of a pattern are
// neighbours. On the source side gaps stand in order, so the k-th gap symbol is gap k; on the target side
// tail_symbol(k) says which gap it is. Offsets have one entry more than the things they delimit.
struct RuleTable {
    static constexpr std::uint32_t most_labels = 1U << 31U;

    // Patterns, with their traits: see PatternTraits.
    std::vector<std::uint32_t> source_offsets{0};
    std::vector<Symbol> source_symbols;
    std::vector<std::uint32_t> left_labels;        // below most_labels
    std::vector<std::uint8_t> any_length;          // 0 or 1
    std::vector<std::uint8_t> has_signature;       // 0 or 1
    std::vector<std::uint32_t> signature_offsets;  // empty as long as no pattern has one
    std::vector<SymbolEdge> signature_edges;
    std::vector<std::uint32_t> place_offsets;  // empty as long as no pattern has places
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> gap_label_offsets{0};
    std::vector<std::uint32_t> gap_labels;
    std::vector<std::uint64_t> occurrences;          // in the corpus
    std::vector<std::uint32_t> attempts, successes;  // occurrences that were tried, and that had a translation
    std::vector<std::uint32_t> rule_offsets{0};      // pattern -> rules

    // Rules.
    std::vector<std::uint32_t> target_offsets{0};
    std::vector<Symbol> target_symbols;
    std::vector<std::uint32_t> link_offsets{0};
    std::vector<RuleLink> links;
    std::vector<float> counts;
    std::vector<std::uint32_t> sighting_offsets{0};
    std::vector<Sighting> sightings;

    // The orientation of the phrase to what was translated before it and after it (monotone, swapped, discontinuous):
    // logarithms of the chances, for searches that reorder phrases. Empty, or one row for each rule.
    std::vector<ReorderingRow> reordering;

    // Features: one column for each id, one value for each rule; beside them, one row for each rule, those that few
    // rules have. A feature that is in both counts twice.
    std::vector<FeatureId> feature_ids;
    std::vector<std::vector<float>> features;
    SparseFeatures sparse;

    std::size_t patterns() const { return left_labels.size(); }
    std::size_t rules() const { return counts.size(); }
    std::span<const Symbol> source(std::size_t pattern) const {
        return std::span(source_symbols)
            .subspan(source_offsets[pattern], source_offsets[pattern + 1] - source_offsets[pattern]);
    }
    std::span<const Symbol> target(std::size_t rule) const {
        return std::span(target_symbols).subspan(target_offsets[rule], target_offsets[rule + 1] - target_offsets[rule]);
    }
    std::span<const RuleLink> links_of(std::size_t rule) const {
        return std::span(links).subspan(link_offsets[rule], link_offsets[rule + 1] - link_offsets[rule]);
    }
    std::span<const std::uint32_t> labels_of_gaps(std::size_t pattern) const {
        return std::span(gap_labels)
            .subspan(gap_label_offsets[pattern], gap_label_offsets[pattern + 1] - gap_label_offsets[pattern]);
    }

    std::span<const SymbolEdge> signature(std::size_t pattern) const {
        if (signature_offsets.empty()) return {};
        return std::span(signature_edges)
            .subspan(signature_offsets[pattern], signature_offsets[pattern + 1] - signature_offsets[pattern]);
    }
    std::span<const std::uint32_t> places_of(std::size_t pattern) const {
        if (place_offsets.empty()) return {};
        return std::span(places).subspan(place_offsets[pattern], place_offsets[pattern + 1] - place_offsets[pattern]);
    }
    // Whether the words of a pattern are not adjacent in the sentence.
    bool is_apart(std::size_t pattern) const {
        const auto own = places_of(pattern);
        return !own.empty() && own.back() - own.front() >= own.size();
    }
    // Valid until the next pattern is added.
    PatternTraits traits(std::size_t pattern) const {
        return {left_labels[pattern],        labels_of_gaps(pattern), any_length[pattern] != 0,
                has_signature[pattern] != 0, signature(pattern),      places_of(pattern)};
    }

    // Opens a pattern; add_rule() then adds to it. The traits are those of another table, or were checked.
    void add_pattern(std::span<const Symbol> symbols, std::uint64_t seen, std::uint32_t tried, std::uint32_t translated,
                     const PatternTraits& traits = {});
    // Adds a rule to the last pattern; its features are 0 until they are set.
    void add_rule(std::span<const Symbol> symbols, std::span<const RuleLink> inner, float count,
                  std::span<const Sighting> where);

    // A feature's values, to be changed; a new column of zeros if the table does not have it. Valid until the next
    // column is added.
    std::vector<float>& column(FeatureId id);

    // The values of a feature, wherever they are; zeros if the table does not have it.
    std::vector<float> values_of(FeatureId id) const;
    // Sets them, as a column.
    void set_values(FeatureId id, std::span<const float> values);
    // All features of a rule that are not 0, those in columns first.
    void collect_features(std::size_t rule, std::vector<FeatureId>& ids, std::vector<float>& values) const;

    // The sum of weight times feature, for every rule. Ids beyond the weights weigh nothing. Throws Error if a sum is
    // not a usable number: a search could not order rules by such scores.
    std::vector<float> scores(std::span<const double> weights) const;

    // Throws Error if the columns contradict each other, a pattern may not have its traits, a rule's two sides do not
    // have the same gaps, or a value is not a number.
    void check() const;
};

}  // namespace pentaglot
