#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/bins.hpp"
#include "rules/quantities.hpp"
#include "rules/rule_table.hpp"
#include "rules/word_templates.hpp"

namespace pentaglot {

// Features that are induced from others and from the words of rules (Clark 2015): all that is known of them, ready to
// be applied to the rules of a sentence.
class Induction {
  public:
    void add_bins(const Quantity& quantity, BinSet bins);
    void add_conjunction(std::vector<std::uint32_t> sets, std::span<const std::uint32_t> bins,
                         std::span<const FeatureId> ids);
    void add_words(WordFeatures words) { words_.push_back(std::move(words)); }

    std::size_t bin_sets() const { return bins_.size(); }

    // Adds the induced features of all rules, as sparse ones.
    void apply(RuleTable& table, const RuleSurroundings& surroundings) const;

  private:
    std::vector<Quantity> quantities_;
    std::vector<BinSet> bins_;
    std::vector<BinConjunction> conjunctions_;
    std::vector<WordFeatures> words_;
};

}  // namespace pentaglot
