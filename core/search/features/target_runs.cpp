#include "search/features/target_runs.hpp"

#include <algorithm>

#include "lm/tables.hpp"

namespace pentaglot {

namespace {

constexpr std::uint32_t no_run = UINT32_MAX;

}  // namespace

TargetRuns::TargetRuns(const RuleTable& table, const Watch& watch)
    : runs_(table.target_symbols.size()), numbers_(std::size_t{1} << 12U, no_run) {
    for (std::uint32_t rule = 0; rule < table.rules(); ++rule) {
        if (rule % Watch::interval == 0) watch.check_cancelled();
        const auto symbols = table.target(rule);
        for (std::size_t begin = 0, end = 0; begin < symbols.size(); begin = end + 1) {
            std::uint64_t hash = 0;
            for (end = begin; end < symbols.size() && !is_tail(symbols[end]); ++end)
                hash = lm::extend_hash(hash, static_cast<WordId>(symbols[end]));
            if (begin == end) continue;
            runs_[table.target_offsets[rule] + begin] = number_of(symbols.subspan(begin, end - begin), hash);
        }
    }
}

std::uint32_t TargetRuns::number_of(std::span<const Symbol> run, std::uint64_t hash) {
    if (2 * (count() + 1) > numbers_.size()) grow();
    std::size_t at = (hash >> 32U) & (numbers_.size() - 1);
    for (; numbers_[at] != no_run; at = (at + 1) & (numbers_.size() - 1)) {
        const std::uint32_t known = numbers_[at];
        if (hashes_[known] != hash) continue;
        if (std::ranges::equal(run, std::span(words_).subspan(begin(known), end(known) - begin(known)))) return known;
    }
    const auto number = static_cast<std::uint32_t>(count());
    numbers_[at] = number;
    words_.insert(words_.end(), run.begin(), run.end());
    offsets_.push_back(static_cast<std::uint32_t>(words_.size()));
    hashes_.push_back(hash);
    return number;
}

void TargetRuns::grow() {
    numbers_.assign(2 * numbers_.size(), no_run);
    for (std::uint32_t run = 0; run < count(); ++run) {
        std::size_t at = (hashes_[run] >> 32U) & (numbers_.size() - 1);
        while (numbers_[at] != no_run) at = (at + 1) & (numbers_.size() - 1);
        numbers_[at] = run;
    }
}

}  // namespace pentaglot
