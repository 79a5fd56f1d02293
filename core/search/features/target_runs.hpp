#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/rule_table.hpp"
#include "search/limits.hpp"

namespace pentaglot {

// The target sides of rules, cut at the gaps into runs of words, each different one only once: of some 7,700 that the
// rules of a sentence of Multi30k have (Hiero), 640 differ. Whatever depends on words alone is then computed for so
// few, and what is the same for all language models is computed once.
class TargetRuns {
  public:
    TargetRuns(const RuleTable& table, const Watch& watch);

    std::size_t count() const { return offsets_.size() - 1; }
    // Of all runs, one after the other; where those of a run begin.
    std::span<const Symbol> words() const { return words_; }
    std::uint32_t begin(std::uint32_t run) const { return offsets_[run]; }
    std::uint32_t end(std::uint32_t run) const { return offsets_[run + std::size_t{1}]; }

    // The run that begins with a symbol of the table, by the place of the symbol; only there.
    std::uint32_t at(std::size_t symbol) const { return runs_[symbol]; }

  private:
    std::uint32_t number_of(std::span<const Symbol> run, std::uint64_t hash);
    void grow();

    std::vector<Symbol> words_;
    std::vector<std::uint32_t> offsets_{0};  // into the words, by run
    std::vector<std::uint32_t> runs_;        // by symbol of the table
    std::vector<std::uint64_t> hashes_;      // by run
    std::vector<std::uint32_t> numbers_;     // hash table of the runs
};

}  // namespace pentaglot
