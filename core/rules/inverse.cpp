#include "rules/inverse.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/checksum.hpp"

namespace pentaglot {

namespace {

// How often runs of words occur in some texts. Remembers runs: the rules of a sentence share most of theirs.
class RunCounts {
  public:
    RunCounts(const RuleTable& table, std::span<const SourceIndex* const> texts)
        : texts_(texts), slots_(std::bit_ceil(std::max<std::size_t>(64, 2 * table.rules()))) {}

    std::uint64_t operator()(std::span<const Symbol> run) {
        if (run.size() == 1) return count(run);
        const std::uint64_t hash = checksum(std::as_bytes(run));
        // A run that finds its slot taken is counted again; so nothing grows.
        Slot& slot = slots_[hash & (slots_.size() - 1)];
        if (slot.run.empty() || !std::ranges::equal(slot.run, run)) slot = {run, count(run)};
        return slot.count;
    }

  private:
    struct Slot {
        std::span<const Symbol> run;
        std::uint64_t count = 0;
    };

    std::uint64_t count(std::span<const Symbol> run) const {
        std::uint64_t total = 0;
        for (const SourceIndex* text : texts_) {
            SuffixRange range = text->find(static_cast<WordId>(run[0]));
            for (std::size_t depth = 1; depth < run.size() && !range.empty(); ++depth) {
                range = text->extend(range, depth, static_cast<WordId>(run[depth]));
            }
            total += range.size();
        }
        return total;
    }

    std::span<const SourceIndex* const> texts_;
    std::vector<Slot> slots_;
};

std::uint64_t rarest_run(std::span<const Symbol> target, RunCounts& counts) {
    std::uint64_t least = UINT64_MAX;
    for (std::size_t begin = 0; begin < target.size();) {
        if (is_tail(target[begin])) {
            ++begin;
            continue;
        }
        std::size_t end = begin;
        while (end < target.size() && !is_tail(target[end])) ++end;
        least = std::min(least, counts(target.subspan(begin, end - begin)));
        begin = end;
    }
    return least;
}

}  // namespace

void add_inverse(RuleTable& table, std::span<const SourceIndex* const> targets, FeatureId feature) {
    std::vector<float>& column = table.column(feature);
    RunCounts counts(table, targets);
    for (std::size_t pattern = 0; pattern < table.patterns(); ++pattern) {
        if (table.attempts[pattern] == 0) continue;
        const double share = static_cast<double>(table.occurrences[pattern]) / table.attempts[pattern];
        for (std::size_t rule = table.rule_offsets[pattern]; rule < table.rule_offsets[pattern + 1]; ++rule) {
            const std::uint64_t occurrences = rarest_run(table.target(rule), counts);
            const double together = share * static_cast<double>(table.counts[rule]);
            if (occurrences == 0 || occurrences == UINT64_MAX || together <= 0) continue;
            // The sample may make the pair look more frequent than its target side.
            column[rule] = static_cast<float>(std::log(std::min(1.0, together / static_cast<double>(occurrences))));
        }
    }
}

}  // namespace pentaglot
