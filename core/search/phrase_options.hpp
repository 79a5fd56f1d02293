#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/coverage.hpp"
#include "search/cube.hpp"
#include "search/input.hpp"

namespace pentaglot {

// The rules that translate one set of input positions, best first.
struct PhraseOptions {
    Coverage covers;
    std::uint32_t begin, end;  // the smallest span that holds them
    std::uint32_t positions;   // how many they are
    float input;               // scores of the input words
    std::vector<std::uint32_t> rules;
};

// Everything that can be translated in one step, and what the rest will cost at least about.
class PhraseLattice {
  public:
    // Rules without gaps over at most `max_span` words; of the rules over the same words the best `most` (0: all).
    // `input_weight` is that of the scores of input words.
    PhraseLattice(const Input& input, const RuleTable& table, const RankedRules& ranked, std::uint32_t max_span,
                  std::uint32_t most, float input_weight);

    std::size_t positions() const { return positions_; }
    const std::vector<PhraseOptions>& options() const { return options_; }
    // The best score that the positions which are not covered can get, each stretch of them for itself.
    float future(const Coverage& covered) const;

  private:
    float& between(std::size_t begin, std::size_t end) { return future_[begin * (positions_ + 1) + end]; }
    float between(std::size_t begin, std::size_t end) const { return future_[begin * (positions_ + 1) + end]; }
    void estimate_future(const RankedRules& ranked, float input_weight);

    std::size_t positions_;
    std::vector<PhraseOptions> options_;
    std::vector<float> future_;
};

}  // namespace pentaglot
