#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pentaglot {

// Positions within one sentence, half open.
struct Span {
    std::uint16_t begin = 0;
    std::uint16_t end = 0;

    bool empty() const { return begin >= end; }
    unsigned size() const { return empty() ? 0U : static_cast<unsigned>(end - begin); }
    bool contains(Span other) const { return begin <= other.begin && other.end <= end; }
    friend bool operator==(const Span&, const Span&) = default;
};

// The links of one sentence pair, as the first and last partner of every word; both `unaligned` where there is none.
struct LinkedPair {
    static constexpr std::uint16_t unaligned = 0xFFFF;

    std::span<const std::uint16_t> source_first, source_last;  // target positions, by source position
    std::span<const std::uint16_t> target_first, target_last;  // source positions, by target position

    std::uint16_t source_size() const { return static_cast<std::uint16_t>(source_first.size()); }
    std::uint16_t target_size() const { return static_cast<std::uint16_t>(target_first.size()); }
    bool source_aligned(std::size_t at) const { return source_first[at] != unaligned; }
    bool target_aligned(std::size_t at) const { return target_first[at] != unaligned; }
    // The smallest span that holds all partners of a span's words; empty if there are none. O(span).
    Span targets_of(Span source) const;
    Span sources_of(Span target) const;
};

constexpr std::size_t max_gaps = 6;

// What a rule may look like (Lopez 2008, §4.1, §5.2.2).
struct ExtractLimits {
    unsigned max_source_span = 10;  // words covered, gaps included
    unsigned max_target_span = 10;
    unsigned min_gap = 1;
    bool tight = true;                   // the edge words of the rule and of its gaps are aligned
    unsigned max_chunks = max_gaps + 1;  // runs of words, on either side
};

// One reading of one occurrence: source and target span of the whole, and of each gap in source order.
struct ExtractedRule {
    Span source, target;
    std::uint8_t gaps = 0;
    std::array<Span, max_gaps> gap_sources{}, gap_targets{};

    // Whether neither side has more runs of words than this.
    bool has_at_most(unsigned chunks) const;
};

// Scratch space of extraction, kept from one occurrence to the next.
struct ExtractScratch {
    std::vector<Span> wholes;
    std::array<std::vector<Span>, max_gaps> choices;
};

// All translations of one occurrence (Lopez 2008, §4.3.2). `chunks` are the source spans of the pattern's runs of
// words, in order, with at least one word in each and a gap between neighbours; a gap before the first and after the
// last is asked for by `left_gap` and `right_gap`. Appends to `found`: at most one rule when extraction is tight, else
// one for every way to extend the target spans over unaligned words next to them. Nothing is appended if the occurrence
// has no translation.
void extract(const LinkedPair& pair, std::span<const Span> chunks, bool left_gap, bool right_gap,
             const ExtractLimits& limits, ExtractScratch& scratch, std::vector<ExtractedRule>& found);

// The pieces of loose extraction, for callers that go through all spans themselves. `extensions`: all ways to extend a
// target span over the unaligned words beside it, inside `within`, to at most `longest` words. `extend_gaps`: appends
// `rule` with every combination of extended gap spans that stay inside its target span and disjoint.
void extensions(const LinkedPair& pair, Span span, Span within, unsigned longest, std::vector<Span>& all);
void extend_gaps(const LinkedPair& pair, const ExtractedRule& rule, const ExtractLimits& limits,
                 ExtractScratch& scratch, std::vector<ExtractedRule>& found);

}  // namespace pentaglot
