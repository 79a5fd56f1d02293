#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/aligned_text.hpp"
#include "index/lexical_table.hpp"
#include "rules/extract.hpp"
#include "rules/rule_table.hpp"

namespace pentaglot {

// The target side of an extracted rule and the links between its words, spelt out. Holds scratch space.
class Reading {
  public:
    // `chunks` are the source spans of the rule's runs of words.
    void read(const AlignedText& text, std::size_t sentence, std::span<const Span> chunks, const ExtractedRule& rule);

    std::span<const Symbol> target() const { return target_; }
    std::span<const RuleLink> links() const { return links_; }

  private:
    std::vector<Symbol> target_;
    std::vector<RuleLink> links_;
    std::vector<std::uint16_t> places_;  // target place, from the beginning of the rule -> place among the symbols
};

// The logarithm of the lexical weight of the target words given the source words, or the other way round (Koehn et al.
// 2003): each word takes the mean chance over its links, or, without links, the chance of coming from nothing.
float lexical_weight(const LexicalView& lexicon, std::span<const Symbol> source, std::span<const Symbol> target,
                     std::span<const RuleLink> links, bool of_target);

// How a phrase pair stands to its neighbours: by the links of the words at its corners (Koehn et al. 2005).
struct Orientations {
    Orientation before, after;
};
Orientations orientations(const AlignedText& text, std::size_t sentence, Span source, Span target);

// Logarithms of the smoothed chances of the orientations, from how often each was seen.
ReorderingRow orientation_chances(const std::array<float, 3>& before, const std::array<float, 3>& after);

}  // namespace pentaglot
