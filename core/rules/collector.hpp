#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cancellation.hpp"
#include "index/aligned_text.hpp"
#include "index/lexical_table.hpp"
#include "index/prefix_tree.hpp"
#include "rules/extract.hpp"
#include "rules/reading.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// The features that collecting gives to every rule, in the order of their columns. Logarithms are natural.
struct RuleFeatures {
    FeatureId translation;     // log of count / successes
    FeatureId coherence;       // log of successes / attempts (Lopez 2008, §5.5)
    FeatureId lexical_target;  // log lexical weight of the target words given the source words
    FeatureId lexical_source;  // and of the source words given the target words
    FeatureId seen_once;  // 1 if the rule was found at one place only, or at places that weigh no more than 1 together
    FeatureId rules;      // 1
    FeatureId words;      // number of target words
    static constexpr std::size_t count = 7;
};

struct CollectOptions {
    ExtractLimits limits;
    std::uint32_t sample = 300;   // occurrences of a pattern that are tried; 0: all
    std::uint32_t sightings = 3;  // places that are remembered for each rule
    bool edge_gaps = true;        // also collect rules that begin or end with a gap
    bool reordering = false;      // count the orientations of phrases to their neighbours
    std::uint32_t pool = 0;       // sample those of this many occurrences that are most like the input; 0: off
    const Cancellation* cancellation = nullptr;
};

// Indexed text that rules are collected from, and the patterns of the sentence that were found in it. Several parts of
// one corpus (the main index, and pairs that were added since) count together, as if they were one text.
struct CollectedPart {
    const SourceIndex& index;
    const AlignedText& aligned;
    std::span<const float> weights;  // how much each sentence pair counts; empty: 1
    const SentencePatterns& patterns;
    std::uint32_t number;  // by which sightings refer to it
};

// Turns the occurrences of a sentence's patterns into rules with counts and features (Lopez 2008, §4.3).
// Holds scratch space: one for each thread.
class RuleCollector {
  public:
    RuleCollector(const LexicalView& lexicon, const RuleFeatures& features, const CollectOptions& options);

    // Appends the rules of all patterns of `sentence` that have translations to `table`, which must be new or from this
    // collector. All parts must have been searched with the same limits.
    void collect(std::span<const WordId> sentence, std::span<const CollectedPart> parts, RuleTable& table);

  private:
    static constexpr std::uint32_t none = UINT32_MAX;

    // One way to link the words inside a rule.
    struct Linking {
        std::uint32_t begin, end;  // in links_
        double seen;
        std::uint32_t next;  // another one of the same target side
    };
    // What is known of one target side of the pattern at hand.
    struct Target {
        std::uint32_t begin, end;  // in symbols_
        double count = 0;
        double seen = 0;  // at how many places, each with its weight
        std::uint32_t linkings = none;
        float lexical_target = 0, lexical_source = 0;  // the best over its linkings
        std::uint32_t sighted = 0, first_sighting = none, last_sighting = none;
        std::array<float, 3> before{}, after{};  // how often in which orientation
    };
    struct NextSighting {
        Sighting where;
        std::uint32_t next;  // another one of the same target side
    };

    struct Search;  // the state of going through the patterns of a sentence

    void collect_pattern(Search& search, std::size_t first, std::uint32_t node, RuleTable& table);
    void begin_pattern(std::span<const Symbol> source, std::size_t occurrences);
    void try_occurrence(std::span<const std::uint32_t> starts, bool left_gap, bool right_gap);
    std::uint32_t target_number();
    void count_linking(Target& target);
    void add_sighting(Target& target, const Sighting& where);
    std::span<const Sighting> sightings_of(const Target& target);
    void finish_pattern(std::uint64_t occurrences, std::uint32_t attempts, RuleTable& table);
    void add_features(const Target& target, RuleTable& table) const;
    const AlignedText& aligned() const { return part_->aligned; }

    const LexicalView& lexicon_;
    RuleFeatures features_;
    CollectOptions options_;

    // Of the pattern at hand.
    std::span<const Symbol> source_;
    std::vector<std::uint16_t> chunk_lengths_;
    std::uint32_t successes_ = 0;
    double tried_ = 0, translated_ = 0;  // attempts and successes, each with its weight
    std::vector<Symbol> symbols_;
    std::vector<RuleLink> links_;
    std::vector<Linking> linkings_;
    std::vector<Target> targets_;
    std::vector<NextSighting> sightings_;  // of all target sides: one array for thousands of short lists
    std::vector<Sighting> sighted_;        // those of one target side
    std::vector<std::uint32_t> slots_;     // hash table of target sides
    // Of the occurrence at hand.
    const CollectedPart* part_ = nullptr;
    double weight_ = 1;
    std::vector<Span> chunks_;
    ExtractScratch scratch_;
    std::vector<ExtractedRule> readings_;
    std::vector<std::uint32_t> read_;  // target sides of its readings
    Reading reading_;                  // the one at hand
};

}  // namespace pentaglot
