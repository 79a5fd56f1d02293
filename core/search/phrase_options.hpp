#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/cube.hpp"
#include "search/input.hpp"
#include "search/limits.hpp"

namespace pentaglot {

// The rules that translate the input between two nodes, best first.
struct PhraseOptions {
    std::uint32_t begin, end;
    std::uint32_t words;  // how many words the path has that they translate
    float input;          // scores of the input words
    std::vector<std::uint32_t> rules;
};

// Everything that can be translated in one step, and what the rest will cost at least about.
class PhraseLattice {
  public:
    // Rules over at most `max_span` words; of the rules over the same words the best `most` (0: all). Throws Error if a
    // rule has gaps.
    PhraseLattice(const Input& input, const RuleTable& table, const FeatureSet& features, const RankedRules& ranked,
                  std::uint32_t max_span, std::uint32_t most, const Watch& watch);

    std::size_t positions() const { return positions_; }
    const std::vector<PhraseOptions>& options() const { return options_; }
    // The best score that the positions which are not covered can get, each stretch of them for itself.
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
    float& between(std::size_t begin, std::size_t end) { return future_[begin * (positions_ + 1) + end]; }
    float between(std::size_t begin, std::size_t end) const { return future_[begin * (positions_ + 1) + end]; }
    void estimate_future(const FeatureSet& features, const RankedRules& ranked, const Watch& watch);

    std::size_t positions_;
    std::vector<PhraseOptions> options_;
    std::vector<float> future_;
};

}  // namespace pentaglot
