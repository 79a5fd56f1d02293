#include "rules/reading.hpp"

#include <algorithm>
#include <cmath>

#include "base/damage.hpp"

namespace pentaglot {

namespace {

// A word pair that was never linked still gets a chance, so that a rule's weight stays finite.
constexpr float least_lexical_chance = 1e-7F;

// No sum of chances comes near this: a rule has at most 256 words a side.
constexpr float most_chances = 1000;

constexpr std::uint16_t in_a_gap = 0xFFFF;

// Pseudo-count of each orientation.
constexpr float orientation_prior = 0.5F;

bool are_linked(const AlignedText& text, std::size_t sentence, std::size_t source, std::size_t target) {
    const auto first = text.source_first(sentence);
    if (source >= first.size() || target >= text.target_first(sentence).size() || first[source] == unaligned)
        return false;
    const auto place = static_cast<Place>(target);
    if (first[source] == place || text.source_last(sentence)[source] == place) return true;
    const auto token = static_cast<std::uint32_t>(text.source().offsets()[sentence] + source);
    const auto between = text.inner(token);
    return std::find(between.begin(), between.end(), place) != between.end();
}

}  // namespace

void Reading::read(const AlignedText& text, std::size_t sentence, std::span<const Span> chunks,
                   const ExtractedRule& rule) {
    const auto words = text.target()[sentence];
    target_.clear();
    places_.assign(rule.target.size(), in_a_gap);
    std::size_t gaps = 0;
    for (std::uint16_t at = rule.target.begin; at < rule.target.end;) {
        std::size_t gap = 0;
        while (gap < rule.gaps && rule.gap_targets[gap].begin != at) ++gap;
        if (gap < rule.gaps) {
            target_.push_back(tail_symbol(gap));
            ++gaps;
            at = rule.gap_targets[gap].end;
        } else {
            places_[at - rule.target.begin] = static_cast<std::uint16_t>(target_.size());
            if (words[at] >= sentence_words) damaged("the text is damaged: it has a number that is no word's");
            target_.push_back(static_cast<Symbol>(words[at]));
            ++at;
        }
    }
    if (gaps != rule.gaps) damaged("the links are damaged: two gaps of a rule are translated together");
    links_.clear();
    const auto first = text.source_first(sentence), last = text.source_last(sentence);
    const std::uint64_t begin = text.source().offsets()[sentence];
    std::size_t symbol = rule.gaps > 0 && rule.source.begin < chunks.front().begin ? 1 : 0;
    const auto link = [&](Place target) {
        if (target < rule.target.begin || target >= rule.target.end) return;
        const std::uint16_t place = places_[target - rule.target.begin];
        if (place != in_a_gap) links_.push_back({static_cast<std::uint8_t>(symbol), static_cast<std::uint8_t>(place)});
    };
    for (const Span chunk : chunks) {
        for (std::size_t at = chunk.begin; at < chunk.end; ++at, ++symbol) {
            if (first[at] == unaligned) continue;
            link(first[at]);
            if (last[at] - first[at] > 1) {
                const auto inner = text.inner(static_cast<std::uint32_t>(begin + at));
                if (inner.size() > words.size()) damaged("the links are damaged: a word has too many of them");
                for (const Place between : inner) link(between);
            }
            if (last[at] != first[at]) link(last[at]);
        }
        ++symbol;  // the gap after the chunk
    }
}

float lexical_weight(const LexicalView& lexicon, std::span<const Symbol> source, std::span<const Symbol> target,
                     std::span<const RuleLink> links, bool of_target) {
    const auto words = of_target ? target : source;
    float sum = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (is_tail(words[at])) continue;
        float chance = 0;
        std::size_t partners = 0;
        const auto word = static_cast<WordId>(words[at]);
        for (const RuleLink link : links) {
            if ((of_target ? link.target : link.source) != at) continue;
            const auto entry =
                lexicon.find(static_cast<WordId>(source[link.source]), static_cast<WordId>(target[link.target]));
            chance += of_target ? entry.target_given_source : entry.source_given_target;
            ++partners;
        }
        if (partners == 0) {
            chance = of_target ? lexicon.find(SpecialWord::null, word).target_given_source
                               : lexicon.find(word, SpecialWord::null).source_given_target;
            partners = 1;
        }
        if (!(chance >= 0 && chance < most_chances)) damaged("the lexicon is damaged: a chance is not between 0 and 1");
        sum += std::log(std::max(chance / static_cast<float>(partners), least_lexical_chance));
    }
    return sum;
}

Orientations orientations(const AlignedText& text, std::size_t sentence, Span source, Span target) {
    // Position -1 wraps around and is linked to nothing; the sentence's beginning and end count as linked to each
    // other.
    const std::size_t before_s = std::size_t{source.begin} - 1, before_t = std::size_t{target.begin} - 1;
    const bool at_begin = source.begin == 0 && target.begin == 0;
    const bool at_end = source.end == text.source()[sentence].size() && target.end == text.target()[sentence].size();
    const auto chosen = [](bool monotone, bool swapped) {
        return monotone ? Orientation::monotone : swapped ? Orientation::swapped : Orientation::discontinuous;
    };
    return {chosen(at_begin || are_linked(text, sentence, before_s, before_t),
                   are_linked(text, sentence, source.end, before_t)),
            chosen(at_end || are_linked(text, sentence, source.end, target.end),
                   are_linked(text, sentence, before_s, target.end))};
}

ReorderingRow orientation_chances(const std::array<float, 3>& before, const std::array<float, 3>& after) {
    const auto logs = [](const std::array<float, 3>& counts) {
        const float total = counts[0] + counts[1] + counts[2] + 3 * orientation_prior;
        std::array<float, 3> row{};
        for (std::size_t i = 0; i < 3; ++i) row[i] = std::log((counts[i] + orientation_prior) / total);
        return row;
    };
    return {logs(before), logs(after)};
}

}  // namespace pentaglot
