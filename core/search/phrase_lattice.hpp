#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/cube.hpp"
#include "search/input.hpp"
#include "search/limits.hpp"
#include "search/whole_labels.hpp"

namespace pentaglot {

// The rules that translate the input between two nodes, or some words there that are not adjacent, best first.
struct PhraseGroup {
    std::uint32_t begin, end;  // nodes before the first word and after the last
    std::uint32_t words;       // how many words the translated path has
    float input;               // scores of the input words
    std::vector<std::uint32_t> rules;
    std::vector<std::uint32_t> places;  // of the words, if they are not adjacent

    std::size_t covered() const { return places.empty() ? end - begin : places.size(); }
};

// A word that no phrase covers alone, and the numbers of those that cover it with others.
struct ScarceWord {
    std::size_t position;
    std::vector<std::size_t> options;
};

// Everything that can be translated in one step, and about what the rest will cost.
class PhraseLattice {
  public:
    // Rules over at most `max_span` words whose labels may be glued; of the rules over the same words the best `most`
    // (0: all). Throws Error if a rule has gaps.
    PhraseLattice(const Input& input, const RuleTable& table, const FeatureSet& features, const RankedRules& ranked,
                  std::uint32_t max_span, std::uint32_t most, const WholeLabels& labels, const Watch& watch);

    std::size_t positions() const { return positions_; }
    const std::vector<PhraseGroup>& options() const { return options_; }
    // Given only if there are phrases whose words are not adjacent.
    const std::vector<ScarceWord>& scarce() const { return scarce_; }
    // About the best score for the positions that are not covered, each stretch of them by itself. A phrase whose words
    // are not adjacent counts for each of them with its share.
    template <typename Covered>
    float future(const Covered& covered) const {
        float sum = 0;
        for (std::size_t at = covered.first_gap(); at < positions_;) {
            std::size_t end = at;
            while (end < positions_ && !covered.has(end)) ++end;
            sum += between(at, end);
            for (at = end; at < positions_ && covered.has(at);) ++at;
        }
        return sum;
    }

  private:
    void add_neighbours(const Input& input, const RuleTable& table, const RankedRules& ranked, std::uint32_t max_span,
                        const WholeLabels& labels, const Watch& watch);
    void add_apart(const Input& input, const RuleTable& table, const RankedRules& ranked, std::uint32_t max_span,
                   const WholeLabels& labels, const Watch& watch);
    void find_scarce();
    std::vector<std::uint32_t> best(std::vector<std::uint32_t> rules, const RankedRules& ranked) const;

    float& between(std::size_t begin, std::size_t end) { return future_[begin * (positions_ + 1) + end]; }
    float between(std::size_t begin, std::size_t end) const { return future_[begin * (positions_ + 1) + end]; }
    void estimate_future(const FeatureSet& features, const RankedRules& ranked, const Watch& watch);

    std::size_t positions_;
    std::uint32_t most_;
    std::vector<PhraseGroup> options_;
    std::vector<ScarceWord> scarce_;
    std::vector<float> future_;
};

}  // namespace pentaglot
