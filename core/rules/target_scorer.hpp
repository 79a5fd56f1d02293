#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/lexical_table.hpp"
#include "rules/offline.hpp"
#include "rules/sorted_runs.hpp"
#include "rules/table_rows.hpp"

namespace pentaglot {

// From counted rules, merged by target side, to rows with all scores that need to see a target side's sources together.
// The columns: log of count / all counts of the target side; log lexical weights of the target and of the source words,
// the best over the links that were seen; 1 if the rule was seen at one place only.
class TargetScorer {
  public:
    static constexpr std::size_t columns = 4;

    TargetScorer(std::span<const Bytes> runs, const LexicalView& lexicon, bool reordering);

    // Goes on until rows of about `bytes` bytes are made; false if there was nothing left to do.
    bool next(std::size_t bytes, TablePart& part);

  private:
    // One rule: bytes of its source side, and its linkings while they come.
    struct Pending {
        std::size_t begin, size;  // in sources_
        CountedRule counted;
        std::uint32_t linking;
        float lexical_target, lexical_source;
    };

    void begin_rule(Bytes source);
    void end_linking();
    void end_rule();
    void end_target();

    RunMerger merger_;
    const LexicalView& lexicon_;
    bool reordering_;
    bool finished_ = false;
    BytePool targets_;
    LinkingPool linkings_;
    RunBuilder rows_;

    // Of the target side, rule and linking at hand.
    ByteBuffer target_, sources_, linking_;
    std::vector<Symbol> target_symbols_, source_symbols_;
    std::vector<RuleLink> links_;
    std::vector<Pending> pending_;
    bool in_rule_ = false, in_linking_ = false;
    CountedRule linked_;
    std::uint64_t most_linked_ = 0;
    ByteBuffer key_, payload_;
};

}  // namespace pentaglot
