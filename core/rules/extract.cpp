#include "rules/extract.hpp"

#include <algorithm>

#include "base/damage.hpp"
#include "base/error.hpp"

namespace pentaglot {

namespace {

// No branch for unaligned words: they change neither end, since 0xFFFF is the largest place and one more wraps around
// to 0. A span that comes from damaged links may lie outside; whatever is done with a span, its partners are looked up
// here first.
Span hull(std::span<const std::uint16_t> first, std::span<const std::uint16_t> last, Span over) {
    if (over.end > first.size()) damaged("the links are damaged: a word is linked to one that its sentence lacks");
    static_assert(static_cast<std::uint16_t>(LinkedPair::unaligned + 1) == 0);
    Span all{LinkedPair::unaligned, 0};
    for (std::size_t at = over.begin; at < over.end; ++at) {
        all.begin = std::min(all.begin, first[at]);
        all.end = std::max(all.end, static_cast<std::uint16_t>(last[at] + 1));
    }
    return all.end == 0 ? Span{} : all;
}

Span joined(Span one, Span other) {
    return {std::min(one.begin, other.begin), std::max(one.end, other.end)};
}

bool edges_aligned(const LinkedPair& pair, Span source) {
    return pair.source_aligned(source.begin) && pair.source_aligned(source.end - 1U);
}

// What tight extraction requires of the words alone: links at their edges where no gap follows, and at the edges of the
// gaps between them. Most occurrences without a translation are rejected here.
bool may_be_tight(const LinkedPair& pair, std::span<const Span> chunks, bool left_gap, bool right_gap) {
    if (!left_gap && !pair.source_aligned(chunks.front().begin)) return false;
    if (!right_gap && !pair.source_aligned(chunks.back().end - 1U)) return false;
    for (std::size_t chunk = 1; chunk < chunks.size(); ++chunk) {
        if (!edges_aligned(pair, {chunks[chunk - 1].end, chunks[chunk].begin})) return false;
    }
    return true;
}

// Grows the edge gaps until no link leads out of the source span or its translation; false if there is no such span
// within the limits. Both edges grow together: one alone may be impossible where both work.
bool close(const LinkedPair& pair, Span words, bool left_gap, bool right_gap, const ExtractLimits& limits, Span& source,
           Span& target) {
    const unsigned left = left_gap ? limits.min_gap : 0;
    const unsigned right = right_gap ? limits.min_gap : 0;
    if (words.begin < left || words.end + right > pair.source_size()) return false;
    source = {static_cast<std::uint16_t>(words.begin - left), static_cast<std::uint16_t>(words.end + right)};
    const auto lacks_link = [&](bool tight_edge, Span gap) {
        return limits.tight ? !tight_edge : pair.targets_of(gap).empty();
    };
    while (true) {
        if (source.size() > limits.max_source_span) return false;
        if ((!left_gap && source.begin < words.begin) || (!right_gap && source.end > words.end)) return false;
        target = pair.targets_of(source);
        if (target.empty()) return false;
        const Span reflected = joined(source, pair.sources_of(target));
        if (reflected != source) {
            source = reflected;
        } else if (left_gap && lacks_link(pair.source_aligned(source.begin), {source.begin, words.begin})) {
            if (source.begin == 0) return false;
            --source.begin;
        } else if (right_gap && lacks_link(pair.source_aligned(source.end - 1U), {words.end, source.end})) {
            if (source.end == pair.source_size()) return false;
            ++source.end;
        } else {
            return target.size() <= limits.max_target_span;
        }
    }
}

// Fills the gaps of `rule` from the closed source span; false if one of them is not a phrase by itself.
bool place_gaps(const LinkedPair& pair, std::span<const Span> chunks, const ExtractLimits& limits,
                ExtractedRule& rule) {
    rule.gaps = 0;
    std::uint16_t begin = rule.source.begin;
    for (std::size_t chunk = 0; chunk <= chunks.size(); ++chunk) {
        const std::uint16_t end = chunk < chunks.size() ? chunks[chunk].begin : rule.source.end;
        if (begin < end) {
            const Span gap{begin, end};
            const Span target = pair.targets_of(gap);
            if (target.empty() || !gap.contains(pair.sources_of(target))) return false;
            if (limits.tight && !edges_aligned(pair, gap)) return false;
            if (rule.gaps == max_gaps) throw Error("a rule may have at most 6 gaps");
            rule.gap_sources[rule.gaps] = gap;
            rule.gap_targets[rule.gaps] = target;
            ++rule.gaps;
        }
        if (chunk < chunks.size()) begin = chunks[chunk].end;
    }
    return true;
}

// How many runs of words the gaps leave of a span. Gaps may touch each other.
unsigned count_chunks(Span whole, std::span<const Span> gaps) {
    const auto begins_at = [&](std::uint16_t at) {
        return std::any_of(gaps.begin(), gaps.end(), [at](Span gap) { return gap.begin == at; });
    };
    unsigned chunks = begins_at(whole.begin) ? 0 : 1;
    for (const Span gap : gaps) {
        if (gap.end < whole.end && !begins_at(gap.end)) ++chunks;
    }
    return chunks;
}

}  // namespace

bool ExtractedRule::has_at_most(unsigned chunks) const {
    if (gaps < chunks) return true;  // a side has at most one run more than gaps
    return count_chunks(source, std::span(gap_sources).first(gaps)) <= chunks &&
           count_chunks(target, std::span(gap_targets).first(gaps)) <= chunks;
}

Span LinkedPair::targets_of(Span source) const {
    return hull(source_first, source_last, source);
}

Span LinkedPair::sources_of(Span target) const {
    return hull(target_first, target_last, target);
}

void extensions(const LinkedPair& pair, Span span, Span within, unsigned longest, std::vector<Span>& all) {
    all.clear();
    for (std::uint16_t begin = span.begin;; --begin) {
        for (std::uint16_t end = span.end; static_cast<unsigned>(end - begin) <= longest; ++end) {
            all.push_back({begin, end});
            if (end >= within.end || pair.target_aligned(end)) break;
        }
        if (begin <= within.begin || pair.target_aligned(begin - 1U)) break;
    }
}

// Gap spans never overlap before extension, so only neighbours that compete for the same unaligned words can clash.
void extend_gaps(const LinkedPair& pair, const ExtractedRule& rule, const ExtractLimits& limits,
                 ExtractScratch& scratch, std::vector<ExtractedRule>& found) {
    auto& choices = scratch.choices;
    for (std::size_t gap = 0; gap < rule.gaps; ++gap) {
        extensions(pair, rule.gap_targets[gap], rule.target, limits.max_target_span, choices[gap]);
    }
    std::array<std::size_t, max_gaps> pick{};
    while (true) {
        ExtractedRule variant = rule;
        bool disjoint = true;
        for (std::size_t gap = 0; gap < rule.gaps && disjoint; ++gap) {
            variant.gap_targets[gap] = choices[gap][pick[gap]];
            for (std::size_t other = 0; other < gap; ++other) {
                const Span a = variant.gap_targets[gap], b = variant.gap_targets[other];
                if (a.begin < b.end && b.begin < a.end) disjoint = false;
            }
        }
        if (disjoint && variant.has_at_most(limits.max_chunks)) found.push_back(variant);
        std::size_t turn = 0;
        while (turn < rule.gaps && ++pick[turn] == choices[turn].size()) pick[turn++] = 0;
        if (turn == rule.gaps) return;
    }
}

void extract(const LinkedPair& pair, std::span<const Span> chunks, bool left_gap, bool right_gap,
             const ExtractLimits& limits, ExtractScratch& scratch, std::vector<ExtractedRule>& found) {
    if (limits.tight && !may_be_tight(pair, chunks, left_gap, right_gap)) return;
    const Span words{chunks.front().begin, chunks.back().end};
    ExtractedRule rule;
    if (!close(pair, words, left_gap, right_gap, limits, rule.source, rule.target)) return;
    if (limits.tight && !edges_aligned(pair, rule.source)) return;
    const bool anchored =
        std::any_of(chunks.begin(), chunks.end(), [&](Span chunk) { return !pair.targets_of(chunk).empty(); });
    if (!anchored || !place_gaps(pair, chunks, limits, rule)) return;
    if (limits.tight) {
        if (rule.has_at_most(limits.max_chunks)) found.push_back(rule);
        return;
    }
    extensions(pair, rule.target, {0, pair.target_size()}, limits.max_target_span, scratch.wholes);
    for (const Span whole : scratch.wholes) {
        rule.target = whole;
        extend_gaps(pair, rule, limits, scratch, found);
    }
}

}  // namespace pentaglot
