#include "index/lexical_table.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace pentaglot {

namespace {

// Every link, and a link to the null word for each word without one, as (source, target) in one number.
std::vector<std::uint64_t> word_pairs(const AlignedText& text) {
    std::vector<std::uint64_t> pairs;
    const auto add = [&](WordId source, WordId target) { pairs.push_back((std::uint64_t{source} << 32) | target); };
    for (std::size_t number = 0; number < text.source().size(); ++number) {
        const auto source = text.source()[number], target = text.target()[number];
        for (const auto& link : text.links(number)) {
            if (link.target < target.size()) add(source[link.source], target[link.target]);
        }
        const auto source_first = text.source_first(number), target_first = text.target_first(number);
        for (std::size_t at = 0; at < source.size(); ++at) {
            if (source_first[at] == unaligned) add(source[at], SpecialWord::null);
        }
        for (std::size_t at = 0; at < target.size(); ++at) {
            if (target_first[at] == unaligned) add(SpecialWord::null, target[at]);
        }
    }
    return pairs;
}

}  // namespace

LexicalTable count_words(const AlignedText& text) {
    auto pairs = word_pairs(text);
    std::sort(pairs.begin(), pairs.end());
    LexicalTable table;
    std::vector<std::uint64_t> counts, source_totals, target_totals;
    const auto total = [](std::vector<std::uint64_t>& totals, WordId word) -> std::uint64_t& {
        if (word >= totals.size()) totals.resize(std::size_t{word} + 1);
        return totals[word];
    };
    for (std::size_t at = 0; at < pairs.size();) {
        std::size_t end = at;
        while (end < pairs.size() && pairs[end] == pairs[at]) ++end;
        const auto source = static_cast<WordId>(pairs[at] >> 32), target = static_cast<WordId>(pairs[at]);
        table.offsets.resize(std::size_t{source} + 1, table.targets.size());
        table.targets.push_back(target);
        counts.push_back(end - at);
        total(source_totals, source) += end - at;
        total(target_totals, target) += end - at;
        at = end;
    }
    table.offsets.push_back(table.targets.size());
    for (std::size_t source = 0; source + 1 < table.offsets.size(); ++source) {
        for (std::size_t at = table.offsets[source]; at < table.offsets[source + 1]; ++at) {
            const auto count = static_cast<double>(counts[at]);
            table.target_given_source.push_back(static_cast<float>(count / static_cast<double>(source_totals[source])));
            table.source_given_target.push_back(
                static_cast<float>(count / static_cast<double>(target_totals[table.targets[at]])));
        }
    }
    return table;
}

LexicalView::LexicalView(std::span<const std::uint64_t> offsets, std::span<const WordId> targets,
                         std::span<const float> target_given_source, std::span<const float> source_given_target)
    : offsets_(offsets),
      targets_(targets),
      target_given_source_(target_given_source),
      source_given_target_(source_given_target) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != targets.size() ||
        !std::is_sorted(offsets.begin(), offsets.end()) || target_given_source.size() != targets.size() ||
        source_given_target.size() != targets.size()) {
        throw Error("the arrays of the lexical table contradict each other");
    }
}

std::span<const WordId> LexicalView::targets(WordId source) const {
    if (std::size_t{source} + 1 >= offsets_.size()) return {};
    return targets_.subspan(offsets_[source], offsets_[source + 1] - offsets_[source]);
}

LexicalView::Entry LexicalView::find(WordId source, WordId target) const {
    const auto row = targets(source);
    const auto found = std::lower_bound(row.begin(), row.end(), target);
    if (found == row.end() || *found != target) return {};
    const std::size_t at = offsets_[source] + static_cast<std::size_t>(found - row.begin());
    return {target_given_source_[at], source_given_target_[at]};
}

}  // namespace pentaglot
